import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../admin/main.ts';
import { temporaryFolder } from '../support/local-assembly.ts';
import { writeOutputs } from '../support/local-outputs.ts';
import { projectFolder } from '../support/local-run.ts';
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
  test('is there for every command', () => {
    expect(all.map(({ path }) => path.replace('admin ', ''))).toEqual([
      'admin',
      'codes',
      'codes list',
      'codes export',
      'codes import',
      'codes remove',
      'orders',
      'orders list',
      'orders export',
      'orders import',
      'orders remove',
      'changes',
      'changes list',
      'snapshots',
      'snapshots list',
      'snapshots show',
      'snapshots diff',
      'snapshots export',
      'snapshots sweep',
      'balances',
      'history',
      'check',
      'clients',
      'clients list',
      'clients show',
      'clients rotate',
      'clients set-password',
      'report',
      'restore',
    ]);
  });

  test.each(all)(
    'of $path says what it does, what it takes, where it works, and gives examples',
    ({ path, help }) => {
      expect(help).toMatch(/^Usage: /);
      expect(help).toContain('--local');
      expect(help).toContain('--json');
      const own = path.replace(/^admin ?/, '');
      expect(help).toMatch(new RegExp(`Examples:\\n  warehouse-admin ${own}`));
    },
  );

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
    [['changes', 'list', '--since', 'yesterday'], 'Give a span such as 90m, 24h, 7d or 2w'],
    [['changes', 'list', '--client', 'warehouse:2'], 'A client name has'],
    [['changes', 'list', '--json', '--csv'], 'Give --json or --csv, not both.'],
    [[], 'Usage: warehouse-admin'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await admin('nowhere', args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

test.each([
  ['--stack', 'Other'],
  ['--region', 'eu-west-1'],
  ['--profile', 'other'],
])('a local run and a deployment at once, by %s, are refused with 2', async (option, value) => {
  for (const line of [
    ['changes', 'list', option, value],
    [option, value, 'changes', 'list'],
  ]) {
    const { code, stdout, stderr } = await adminHereOn('nowhere', line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`option '--local' cannot be used with option '${option} `);
  }
});

describe('a local run', () => {
  test('that is not there is told of, and how to start it', async () => {
    const { code, stderr } = await admin('nowhere', ['changes', 'list']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'There is no nowhere/outputs.json: start the service with `npm start`, or tell its folder with --data.\n',
    );
  });

  test('that runs no longer is told of', async () => {
    const data = temporaryFolder();
    writeOutputs(data, 'http://127.0.0.1:9', {});
    for (const args of [
      ['changes', 'list'],
      ['clients', 'list'],
    ]) {
      const { code, stdout, stderr } = await admin(data, args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('A local run is started with `npm start`.');
    }

    writeFileSync(join(data, 'outputs.json'), '{"DynamoDbEndpoint": ');
    expect((await admin(data, ['changes', 'list'])).stderr).toContain('is not what `npm start` writes');
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
