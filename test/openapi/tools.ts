import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedEnvironment, installPythonPackage } from '../judges/python-package.ts';

const PACKAGE = 'schemathesis==4.32.5';

/** The packages of Debian and Ubuntu. */
const PACKAGES = 'python3 python3-venv';

export const SCHEMATHESIS = join(cachedEnvironment(PACKAGE), 'bin/schemathesis');

const checkTools = () => {
  if (existsSync(SCHEMATHESIS)) return;
  if (spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status !== 0) {
    process.stderr.write(`Missing: python3 with venv. Install with: sudo apt-get install ${PACKAGES}\n`);
    process.exitCode = 1;
  } else installPythonPackage(PACKAGE);
};

if (import.meta.main) {
  if (process.argv.includes('--packages')) process.stdout.write(`${PACKAGES}\n`);
  else checkTools();
}
