import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { deploymentOptions } from '../../admin/cli/arguments.ts';
import { createProgram } from '../../admin/main.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { writeOutputs } from '../support/table-reader.ts';
import { admin } from './command.ts';
import { adminHereOn } from './in-process.ts';

type Described = { path: string; help: string };

const described = (command: CommandUnknownOpts, path: string): Described[] => {
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
  test.each(all)('of $path shows its usage, the options of the deployment and examples', ({ path, help }) => {
    expect(help).toMatch(/^Usage: /);
    for (const option of deploymentOptions) expect(help).toContain(`\n  ${option} `);
    const own = path.replace(/^admin ?/, '');
    expect(help).toMatch(new RegExp(`Examples:\\n  warehouse-admin ${own}`));
  });

  const formatOptions = ['--json', '--csv', '--separator', '--decimal', '--no-bom', '--out'];
  const shown: Record<string, string[]> = { 'admin console': [], 'admin report': ['--json', '--out'] };
  test.each(all)('of $path shows the options of the format that it has', ({ path, help }) => {
    const found = formatOptions.filter((option) => help.includes(`\n  ${option} `));
    expect(found).toEqual(shown[path] ?? formatOptions);
  });

  test('is printed with code 0, and nothing else is', async () => {
    const { code, stdout, stderr } = await admin('nowhere', ['snapshots', 'diff', '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: warehouse-admin snapshots diff [options] <first> <second>');
  });
});

describe('wrong usage ends with 2 and says what is wrong', () => {
  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['snapshots', 'show'], "missing required argument 'snapshot'"],
    [['balances', '--nonsense'], "unknown option '--nonsense'"],
    [['changes', 'list', '--since', 'tomorrow'], 'Give a span such as 90m, 24h, 7d or 2w'],
    [['changes', 'list', '--client', 'warehouse:2'], 'A client name has'],
    [['changes', 'list', '--json', '--csv'], 'Give --json or --csv, not both.'],
    [['balances', '--json', '--out', 'b.csv'], '--json and the ending of b.csv are different formats'],
    [['balances', '--out', 'b.ods'], 'The name b.ods must end in .csv, .json or .xlsx.'],
    [['report'], 'Give the HTML file to write'],
    [['report', '--out', 'stock.csv'], 'Give the HTML file to write'],
    [[], 'Usage: warehouse-admin'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await adminHereOn('nowhere', args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

test.each(['--stack', '--region', '--profile'])(
  'refuses --local with %s, anywhere on the line',
  async (option) => {
    for (const line of [
      ['changes', 'list', option, 'other'],
      [option, 'other', 'changes', 'list'],
    ]) {
      const { code, stdout, stderr } = await adminHereOn('nowhere', line);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`option '--local' cannot be used with option '${option} `);
    }
  },
);

describe('without a local run', () => {
  test('a missing data folder is named, and how to start the service', async () => {
    expect(await adminHereOn('nowhere', ['changes', 'list'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'There is no nowhere/outputs.json. Start the service with `npm start`, or give its data folder with --data.\n',
    });
  });

  test.each([['changes'], ['clients']])('%s list says that nothing answers', async (group) => {
    const data = temporaryFolder();
    writeOutputs(data, 'http://127.0.0.1:9', {});
    const { code, stdout, stderr } = await adminHereOn(data, [group, 'list']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('To start a local run: `npm start`.');
  });

  test('a damaged outputs.json is refused', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'outputs.json'), '{"DynamoDbEndpoint": ');
    const { stderr } = await adminHereOn(data, ['changes', 'list']);
    expect(stderr).toContain('is not valid. Start the service again');
  });
});

test('the executable runs as it is, and ends with the code of the command', async () => {
  const bin = join(projectFolder, 'admin/warehouse-admin.js');
  const run = (...args: string[]) =>
    new Promise((resolve) => {
      execFile(bin, args, (error, stdout) =>
        resolve({ code: error?.code ?? 0, usage: /^Usage: \S+/.exec(stdout)?.[0] }),
      );
    });
  expect(await run('--help')).toEqual({ code: 0, usage: 'Usage: warehouse-admin' });
  expect(await run('nonsense')).toMatchObject({ code: 2 });
});
