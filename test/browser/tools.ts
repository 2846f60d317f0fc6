import { existsSync } from 'node:fs';
import { hasTools, runTools } from '../support/tools.ts';

/** The Debian package. A whole browser takes half as long again, because it also draws windows of its own. */
const PACKAGES = 'chromium-headless-shell';

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = [HEADLESS_SHELL, '/usr/bin/google-chrome', '/usr/bin/chromium'];

/** The variable CHROMIUM can name another browser. */
const CHROMIUM = process.env['CHROMIUM'] ?? BROWSERS.find((file) => existsSync(file)) ?? HEADLESS_SHELL;

export const chromiumOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

const provide = () => {
  const tools = { [CHROMIUM]: [CHROMIUM, '--version'] } satisfies Parameters<typeof hasTools>[0];
  return hasTools(tools, PACKAGES, ' (Debian), install Google Chrome, or name another browser in CHROMIUM');
};

if (import.meta.main) runTools(PACKAGES, provide);
