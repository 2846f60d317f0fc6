import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, beforeEach, describe, test, vi } from 'vitest';
import { createProgram } from '../../admin/cli/main.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { showSheets } from '../admin/read-sheets.ts';
import { createClients, dataFolder, emptyDeployment, putBatch } from '../admin/tables.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';
import { inAllFormats, type Line, showCommands, words } from './show-commands.ts';
import { writeSmallDemo } from './small-demo.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');

let data = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  ({ data } = await writeSmallDemo(NOW));
});
// Times in the zone of this machine are the same on each machine.
beforeEach(() => void vi.stubEnv('TZ', 'UTC'));
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const QUERY = 'SELECT warehouse, unit, count(*) AS balances FROM balance GROUP BY warehouse, unit';
const shownCommands: Record<string, Line[]> = {
  balances: [
    ...inAllFormats('balances', '--client', 'south'),
    words('balances --client north --at 2026-11-20T11:00Z'),
  ],
  history: [...inAllFormats('history', 'Rohr-4/007', '--client', 'south'), ['history', 'Rohr-4/008']],
  compare: [
    ...inAllFormats('compare', '24h', '--codes', 'Rohr-4/007, Kabel-8/001'),
    ['compare', '24h', '--codes', 'Rohr-4/007', '--totals', '--at', '2026-11-20 11:00'],
  ],
  changes: inAllFormats('changes', 'list', '--client', 'east'),
  snapshots: [
    ...inAllFormats(...words('snapshots list --client north')),
    ...inAllFormats(...words('snapshots show latest --client east')),
    ...inAllFormats(...words('snapshots diff previous latest --client south')),
    words('snapshots show latest --client nobody'),
    words('snapshots sweep --dry-run'),
  ],
  check: [
    ...inAllFormats('check'),
    words('check --kind unused-order'),
    words('check --client east'),
    ...['check --client south --all', 'check --client east --at 2026-11-19T23:00Z'].map(words),
  ],
  clients: [
    ...inAllFormats('clients', 'list'),
    ...['clients list --late', 'clients show north', 'clients show nobody'].map(words),
  ],
  lists: [
    ...inAllFormats('codes', 'list'),
    ...inAllFormats('codes', 'export'),
    words('codes export --separator ;'),
  ],
  sql: [
    ...inAllFormats('sql', QUERY),
    ['sql', 'SELECT material, value FROM balance WHERE value < 0', '--at', '2026-11-20 11:00'],
    ['sql', 'SELECT count(*) AS codes FROM material_code', '--at', '2026-11-20 11:00'],
    ['sql', '--query', 'several-units', '--csv'],
    [
      'sql',
      'SELECT material, value FROM balance WHERE unit = :unit AND value > :least LIMIT 3',
      '--param',
      'unit=kg',
      '--param',
      'least=200',
    ],
    ['sql', 'SELECT nothing FROM balance'],
    ['sql', 'DELETE FROM balance'],
  ],
};

describe('what a person sees of the demo', () => {
  test.each(Object.entries(shownCommands))('%s', async (name, lines) => {
    await expectGolden(await showCommands(data, lines), `commands/${name}.txt`);
  });
});

test('a unit that is sent no longer, and the test data of the doctor', async () => {
  const { data, names } = await emptyDeployment({ clients: ['a', 'b', 'Doctor2', 'doctor'] });
  const send = (client: string, hours: number, ...entry: Parameters<typeof entryOf>) =>
    putBatch(names.BalanceSnapshots, client, new Date(NOW.getTime() - hours * HOUR_MS), [entryOf(...entry)]);
  for (const [hours, unit] of ['kg', 't', 'kg', 'kg'].entries()) await send('a', 8 - hours, 'Blech', 5, unit);
  await send('a', 2, 'Blech', 7, 't');
  await send('a', 1, 'Rohr', 1);
  await send('b', 3, 'Blech', 5);
  for (const doctor of ['Doctor2', 'doctor']) await send(doctor, 0.2, 'Blech', 9);
  const clients = await createClients(['Doctor2', 'doctor']);
  const lines = [
    ...['history Blech', 'history Blech --since 200m --at 90m', 'history Blech --client a --since 90m'],
    ...['history Blech --at 60h', 'balances', 'check', 'snapshots list', 'balances --client doctor'],
  ];
  const shown = [
    await showCommands(data, lines.map(words)),
    await showCommands(dataFolder({ ...names, Clients: clients }), [words('balances')]),
  ];
  await expectGolden(shown.join('\n'), 'commands/units-and-doctors.txt');
});

test('the report', async () => {
  const out = join(temporaryFolder(), 'report.xlsx');
  const lines = ['report', 'report --json'].map((line) => words(`${line} --out ${out}`));
  // The line under the titles is as long as the path.
  const said = (await showCommands(data, lines, { [out]: 'report.xlsx' })).replace(/-{20,}/, '-----------');
  const sheets = showSheets(readFileSync(out)).replace(data, '.local');
  const shown = `${said.replaceAll(/(Bytes\W+)[\d\u202f]+/g, '$1…')}\n${sheets}`;
  await expectGolden(shown, 'commands/report.txt');
});

/** The help of a command and of all commands below it. */
const helpOf = (command: CommandUnknownOpts): string => {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return [help, ...command.commands.map(helpOf)].join(`${'-'.repeat(80)}\n`);
};

test('the help of each command', async () => {
  await expectGolden(helpOf(await createProgram()), 'commands/help.txt');
});

testEachIsCompared('commands');
