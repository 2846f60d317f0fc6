import { existsSync } from 'node:fs';
import { hasTools, runTools } from '../support/tools.ts';

/** The Debian package. The variable CHROMIUM can name another browser. */
const PACKAGES = 'chromium';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const chromiumOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

const provide = () => {
  const tools = { [CHROMIUM]: [CHROMIUM, '--version'] } satisfies Parameters<typeof hasTools>[0];
  if (!hasTools(tools, PACKAGES, ', or name another browser in CHROMIUM')) return false;
  if (existsSync(new URL('../../docs/site/node_modules', import.meta.url))) return true;
  process.stderr.write(
    'Missing: the packages that build the site. Install with: npm ci --prefix docs/site\n',
  );
  return false;
};

if (import.meta.main) runTools(PACKAGES, provide);
