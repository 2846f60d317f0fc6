import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './support/run-app.ts';

/*
 * npm run test:with -- KIND…  runs the tests that need a tool from elsewhere. `--packages` prints the packages of Debian that a
 * kind needs, and runs nothing.
 */

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project'];

/** What each kind runs after its tools are there. */
const kinds: Record<string, string[]> = {
  clients: [...VITEST, 'clients'],
  browser: [...VITEST, 'browser'],
  spreadsheets: [...VITEST, 'spreadsheets'],
  runtime: [...VITEST, 'runtime'],
  openapi: [...VITEST, 'openapi'],
  'cfn-lint': ['test/judges/cfn-lint.ts'],
  'dynamodb-local': ['test/judges/dynamodb-local.ts'],
  ministack: ['test/doctor/ministack.ts'],
};

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status === 0;

/** The judges need Python or Java, and say so themselves. */
const toolsOf = (kind: string) => {
  const file = `test/${kind}/tools.ts`;
  return existsSync(join(projectFolder, file)) ? [file] : undefined;
};

const { values, positionals } = parseArgs({
  options: { packages: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const unknown = positionals.filter((kind) => !(kind in kinds));
if (unknown.length > 0 || positionals.length === 0) {
  process.stderr.write(`Name one or more of ${Object.keys(kinds).join(', ')}.\n`);
  process.exitCode = 1;
} else {
  for (const kind of positionals) {
    const tools = toolsOf(kind);
    const steps = values.packages ? [tools && [...tools, '--packages']] : [tools, kinds[kind]];
    if (!steps.every((step) => step === undefined || run(step))) process.exitCode = 1;
  }
}
