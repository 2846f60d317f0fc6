import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../support/run-app.ts';

export const cachedEnvironment = (requirement: string) =>
  join(projectFolder, 'node_modules/.cache', requirement);

/** Installs a package from PyPI in a virtual environment. Returns the folder of its programs. */
export const installPythonPackage = (requirement: string, environment = cachedEnvironment(requirement)) => {
  const programs = join(environment, 'bin');
  execFileSync('python3', ['-m', 'venv', environment]);
  // Python itself compiles what it loads, a small part of the package.
  const pip = ['install', '--quiet', '--no-compile', '--disable-pip-version-check', requirement];
  execFileSync(join(programs, 'pip'), pip, { stdio: ['ignore', 'ignore', 'inherit'] });
  return programs;
};
