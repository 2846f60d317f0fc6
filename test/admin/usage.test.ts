import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../admin/cli/main.ts';
import { deploymentOptions } from '../../admin/cli/terminal/arguments.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { runProgram } from './command.ts';
import { adminHereOn, refusal } from './in-process.ts';
import { dataFolder, emptyDeployment, NOWHERE } from './tables.ts';

/** The help of a command and of all commands below it. */
const described = (command: CommandUnknownOpts, path: string): { path: string; help: string }[] => {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return [
    { path, help },
    ...command.commands.flatMap((inner) => described(inner, `${path} ${inner.name()}`)),
  ];
};

const all = described(await createProgram(), 'admin');

describe('--help', () => {
  const formatOptions = ['--json', '--csv', '--separator', '--decimal', '--no-bom', '--out'];
  const shown: Record<string, string[]> = { 'admin console': [], 'admin report': ['--json', '--out'] };
  const CHANGE_VIEW = '\n  change         warehouse, received_at, timestamp, request_id\n';
  const words: Record<string, string> = { 'admin sql': CHANGE_VIEW, 'admin check': 'up to 10,000 of each' };
  test.each(all)('of $path shows its usage, its options and examples', ({ path, help }) => {
    expect(help).toMatch(/^Usage: /);
    for (const option of deploymentOptions) expect(help).toContain(`\n  ${option} `);
    const found = formatOptions.filter((option) => help.includes(`\n  ${option} `));
    expect(found).toEqual(shown[path] ?? formatOptions);
    expect(help).toContain(words[path] ?? '');
    const own = path.replace(/^admin ?/, '');
    expect(help).toMatch(new RegExp(`Examples:\\n  warehouse-admin ${own}`));
  });

  test('is printed with code 0, and nothing else is', async () => {
    const stdout = expect.stringContaining('Usage: warehouse-admin snapshots diff [options] <first> <sec');
    const outcome = await adminHereOn('nowhere', ['snapshots', 'diff', '--help']);
    expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('wrong usage ends with 2 and says what is wrong', () => {
  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['snapshots', 'show'], "missing required argument 'snapshot'"],
    [['balances', '--nonsense'], "unknown option '--nonsense'"],
    [['clients', 'lock', '-x'], 'If it is a name, not an option, write it last, with -- before it.\n'],
    [['changes', 'list', '--since', 'tomorrow'], 'Give how long ago (90m, 24h, 7d, 2w), a day'],
    [['changes', 'list', '--client', 'warehouse:2'], 'A client name has'],
    [['changes', 'list', '--json', '--csv'], 'Give --json or --csv, not both.'],
    [['balances', '--json', '--out', 'b.csv'], '--json and the ending of b.csv are different formats'],
    [['balances', '--out', 'b.ods'], 'The name b.ods must end in .csv, .json or .xlsx.'],
    [['balances', '--decimal', 'x'], 'argument \'x\' is invalid. Give "." or ",".\n'],
    [['balances', '--separator', 'x'], 'argument \'x\' is invalid. Give "," or ";".\n'],
    [['report', '--out', 'stock.csv'], 'Give the workbook to write'],
    [[], 'Usage: warehouse-admin'],
    [['console', '--port', '80'], 'Give a number from 1024 to 65535'],
    ...['--stack', '--region', '--profile'].map((option): [string[], string] => [
      ['changes', 'list', option, 'other'],
      `option '--local' cannot be used with option '${option} `,
    ]),
  ])('%j', async (args, words) => {
    const outcome = await adminHereOn('nowhere', args);
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect(outcome.stderr).not.toMatch(/^ +at /m);
  });
});

describe('without a local run', () => {
  test('a missing data folder is named, and how to start the service', async () => {
    const stderr = expect.stringMatching(
      /^There is no nowhere\/outputs\.json\. Start the service with `npm st/,
    );
    expect(await adminHereOn('nowhere', ['changes', 'list'])).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each(['changes', 'clients'])('%s list says that nothing responds', async (group) => {
    const data = dataFolder({}, { engine: NOWHERE });
    const outcome = await adminHereOn(data, [group, 'list']);
    expect(outcome).toEqual(refusal('To start a local run: `npm start`.'));
  });

  test('a damaged outputs.json is refused', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'outputs.json'), '{"DynamoDbEndpoint": ');
    const outcome = await adminHereOn(data, ['changes', 'list']);
    expect(outcome).toEqual(refusal('is not valid. Start the service again'));
  });
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
