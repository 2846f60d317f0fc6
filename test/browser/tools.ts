import { spawnSync } from 'node:child_process';

/** The Debian package. The variable CHROMIUM can name another browser. */
const PACKAGES = 'chromium';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const checkBrowser = () => {
  if (spawnSync(CHROMIUM, ['--version'], { stdio: 'ignore' }).status === 0) return;
  process.stderr.write(
    `Missing: ${CHROMIUM}. Install with: sudo apt-get install ${PACKAGES}, or name another in CHROMIUM.\n`,
  );
  process.exitCode = 1;
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else checkBrowser();
}
