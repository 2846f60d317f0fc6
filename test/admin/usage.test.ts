import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { runProgram } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

const PROGRAM = 'admin/warehouse-admin.js';

test('--help is printed with code 0, and no command with code 2', async () => {
  const help = expect.stringMatching(/^Usage: warehouse-admin /);
  expect(await adminHereOn('nowhere', ['snapshots', 'diff', '--help'])).toEqual({
    code: 0,
    stdout: help,
    stderr: '',
  });
  expect(await adminHereOn('nowhere', [])).toEqual({ code: 2, stdout: '', stderr: help });
});

// Another user could have made the folder of a cache there first, with code in it that this user would run.
test.each([
  [PROGRAM, 'nonsense', 2, /unknown command 'nonsense'/],
  ['local/cli/start.js', '--help', 0, /^$/],
])(
  '%s %s ends with its code, and keeps no code in the folder for temporary files',
  async (program, word, code, said) => {
    const folder = temporaryFolder();
    const environment = ['env', '--unset=NODE_COMPILE_CACHE', `TMPDIR=${folder}`];
    const outcome = await runProgram([...environment, process.execPath, join(projectFolder, program), word]);
    expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(said) });
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe('an export', async () => {
  const { tables, data } = await emptyDeployment();
  await tables.put('MaterialCodes', { MaterialCode: 'A', Long: 'x'.repeat(300_000) });
  const main = join(projectFolder, 'admin/cli/main.ts');
  const line = [process.execPath, main, 'codes', 'export', '--local', '--data', data];

  test.each([
    ['ends without an error when the reader closes the pipe', '| head -c 100', 0, /^$/],
    ['reports a full disk in one line', '> /dev/full', 1, /^The output cannot be .* disk is full\n$/],
  ])('%s', async (_, rest, code, said) => {
    const outcome = await runProgram(['bash', '-c', `set -o pipefail; "$@" ${rest}`, 'bash', ...line]);
    expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(said) });
  });
});

test('npm starts the program, which says in one line what to install if Node is too old for TypeScript', async () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  expect(scripts).toMatchObject({ admin: `node ${PROGRAM}`, console: `node ${PROGRAM} console` });
  const copy = join(temporaryFolder(), PROGRAM);
  cpSync(join(projectFolder, PROGRAM), copy);
  const outcome = await runProgram([process.execPath, '--no-experimental-strip-types', copy]);
  const words = /^The admin commands need Node 22\.18 or newer, or the packages .+ --omit=dev\.\n$/;
  expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) });
});
