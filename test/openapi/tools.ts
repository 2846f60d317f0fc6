import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'schemathesis==4.32.5';

/** The packages of Debian and Ubuntu. */
const PACKAGES = 'python3 python3-venv';

/** A virtual environment of Python. */
const folder = fileURLToPath(new URL(`../../node_modules/.cache/${PACKAGE}`, import.meta.url));

export const SCHEMATHESIS = join(folder, 'bin/schemathesis');

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

const checkTools = () => {
  if (existsSync(SCHEMATHESIS)) return;
  if (!run('python3', '-c', 'import ensurepip, venv')) {
    process.stderr.write(`Missing: python3 with venv. Install with: sudo apt-get install ${PACKAGES}\n`);
    process.exitCode = 1;
  } else if (!run('python3', '-m', 'venv', folder) || !run(join(folder, 'bin/pip'), 'install', PACKAGE))
    process.exitCode = 1;
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else checkTools();
}
