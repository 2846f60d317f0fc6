import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The Debian package. The variable CHROMIUM can name another browser. */
const PACKAGES = 'chromium';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const chromiumOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

const report = (missing: string, install: string) => {
  process.stderr.write(`Missing: ${missing}. Install with: ${install}\n`);
  process.exitCode = 1;
};

const checkTools = () => {
  if (spawnSync(CHROMIUM, ['--version'], { stdio: 'ignore' }).status !== 0)
    report(CHROMIUM, `sudo apt-get install ${PACKAGES}, or name another browser in CHROMIUM`);
  if (!existsSync(new URL('../../docs/site/node_modules', import.meta.url)))
    report('the packages that build the site', 'npm ci --prefix docs/site');
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else checkTools();
}
