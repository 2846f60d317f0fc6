import { spawnSync } from 'node:child_process';

/** Of Debian; any Chromium or Chrome that CHROMIUM names does as well. */
const PACKAGES = 'chromium';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const complainOfMissing = () => {
  if (spawnSync(CHROMIUM, ['--version'], { stdio: 'ignore' }).status === 0) return;
  process.stderr.write(
    `Missing: ${CHROMIUM}. Install with: sudo apt-get install ${PACKAGES}, or name another in CHROMIUM.\n`,
  );
  process.exitCode = 1;
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else complainOfMissing();
}
