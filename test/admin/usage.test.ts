import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { runProgram } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

test('--help is printed with code 0, and no command with code 2', async () => {
  const help = expect.stringMatching(/^Usage: warehouse-admin /);
  expect(await adminHereOn('nowhere', ['snapshots', 'diff', '--help'])).toEqual({
    code: 0,
    stdout: help,
    stderr: '',
  });
  expect(await adminHereOn('nowhere', [])).toEqual({ code: 2, stdout: '', stderr: help });
});

describe('the executable', async () => {
  const bin = join(projectFolder, 'admin/warehouse-admin.js');
  const { tables, data } = await emptyDeployment();
  await tables.put('MaterialCodes', { MaterialCode: 'A', Long: 'x'.repeat(300_000) });
  const line = ['codes', 'export', '--local', '--data', data];

  test.each([
    ['ends with the code of the command', ['nonsense'], '', 2, /unknown command 'nonsense'/],
    ['ends without an error when the reader closes the pipe', line, '| head -c 100', 0, /^$/],
    ['reports a full disk in one line', line, '> /dev/full', 1, /^The output cannot be .* disk is full\n$/],
  ])('%s', async (_, args, rest, code, output) => {
    const outcome = await runProgram(['bash', '-c', `set -o pipefail; "$@" ${rest}`, 'bash', bin, ...args]);
    expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(output) });
  });

  test.each(['console', 'admin'])(
    'says in one line what to install if npm run %s has a Node that is too old for TypeScript',
    async (script) => {
      const folder = temporaryFolder();
      for (const name of ['admin', 'package.json'])
        cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
      const line = ['npm', 'run', '--silent', '--prefix', folder, script];
      const outcome = await runProgram(['env', 'NODE_OPTIONS=--no-experimental-strip-types', ...line]);
      const words = /^The admin commands need Node 22\.18 or newer, or the packages .+ --omit=dev\.\n$/;
      expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) });
    },
  );
});
