import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedEnvironment, installPythonPackage } from '../judges/python-package.ts';
import { hasTools, runTools } from '../support/tools.ts';

const SCHEMATHESIS_PACKAGE = 'schemathesis==4.32.5';
export const SCHEMATHESIS = join(cachedEnvironment(SCHEMATHESIS_PACKAGE), 'bin/schemathesis');

/** The packages of Debian and Ubuntu. */
const PACKAGES = 'python3 python3-venv';

const provide = () => {
  if (!hasTools({ 'python3 with venv': ['python3', '-c', 'import ensurepip, venv'] }, PACKAGES)) return false;
  if (!existsSync(SCHEMATHESIS)) installPythonPackage(SCHEMATHESIS_PACKAGE);
  return true;
};

if (import.meta.main) runTools(PACKAGES, provide);
