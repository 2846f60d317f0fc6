import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { projectFolder } from './support/run-app.ts';

/*
 * npm run test:with -- KIND…  runs the tests that need a tool from elsewhere. With `--packages`, it prints the packages of
 * Debian that these tools are in, and runs nothing.
 */

/** Each has a project of vitest.config.ts, and test/KIND/tools.ts to find or install its tools. */
const projects = ['clients', 'browser', 'spreadsheets', 'runtime', 'openapi'];

/** Programs of their own. They need Python or Java, and say so. */
const judges: Record<string, string> = {
  'cfn-lint': 'test/judges/cfn-lint.ts',
  'dynamodb-local': 'test/judges/dynamodb-local.ts',
  ministack: 'test/doctor/ministack.ts',
};

const succeeds = (args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status === 0;

const toolsOf = (kind: string) => `test/${kind}/tools.ts`;

/** One run of Vitest serves all projects, so that they share the engine and the synthesis. */
const runProjects = (kinds: readonly string[]) =>
  kinds.every((kind) => succeeds([toolsOf(kind)])) &&
  succeeds(['node_modules/vitest/vitest.mjs', 'run', ...kinds.flatMap((kind) => ['--project', kind])]);

const { values, positionals: kinds } = parseArgs({
  options: { packages: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = projects.filter((project) => kinds.includes(project));
const programs = kinds.flatMap((kind) => judges[kind] ?? []);

const run = () => {
  if (kinds.length === 0 || chosen.length + programs.length < kinds.length) {
    process.stderr.write(`Name one or more of ${[...projects, ...Object.keys(judges)].join(', ')}.\n`);
    return false;
  }
  if (values.packages) return chosen.every((kind) => succeeds([toolsOf(kind), '--packages']));
  return (chosen.length === 0 || runProjects(chosen)) && programs.every((program) => succeeds([program]));
};

if (!run()) process.exitCode = 1;
