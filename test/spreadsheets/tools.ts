import { spawnSync } from 'node:child_process';

/** The Debian package. The variable SOFFICE can name another LibreOffice. */
const PACKAGES = 'libreoffice-calc-nogui';

export const SOFFICE = process.env['SOFFICE'] ?? 'soffice';

const checkLibreOffice = () => {
  if (spawnSync(SOFFICE, ['--version'], { stdio: 'ignore' }).status === 0) return;
  process.stderr.write(
    `Missing: ${SOFFICE}. Install with: sudo apt-get install ${PACKAGES}, or name another in SOFFICE.\n`,
  );
  process.exitCode = 1;
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else checkLibreOffice();
}
