import { existsSync } from 'node:fs';
import { hasTools, runTools } from '../tools.ts';

/** The Debian package. A whole browser takes twice as long, because it also draws windows of its own. */
const PACKAGES = 'chromium-headless-shell';

const SHELL = '/usr/bin/chromium-headless-shell';
const programs = [SHELL, '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** The variable CHROMIUM can name another browser. */
const CHROMIUM = process.env['CHROMIUM'] ?? programs.find((program) => existsSync(program)) ?? SHELL;

export const chromiumOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

const provide = () => {
  const tools = { [CHROMIUM]: [CHROMIUM, '--version'] } satisfies Parameters<typeof hasTools>[0];
  return hasTools(tools, PACKAGES, ', or name another browser in CHROMIUM');
};

if (import.meta.main) runTools(PACKAGES, provide);
