import { hasTools, runTools } from '../tools.ts';

/** The Debian package. The variable CHROMIUM can name another browser. */
const PACKAGES = 'chromium';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const chromiumOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

const provide = () => {
  const tools = { [CHROMIUM]: [CHROMIUM, '--version'] } satisfies Parameters<typeof hasTools>[0];
  return hasTools(tools, PACKAGES, ', or name another browser in CHROMIUM');
};

if (import.meta.main) runTools(PACKAGES, provide);
