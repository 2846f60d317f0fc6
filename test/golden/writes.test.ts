import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { adminHereOn } from '../admin/in-process.ts';
import {
  createClients,
  emptyDeployment,
  type NamedClient,
  ODD,
  openControl,
  putBatch,
  putItems,
} from '../admin/tables.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { createTable, putRawItem, testClient } from '../support/tables.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';
import { type Line, showCommands, words } from './show-commands.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const folder = temporaryFolder();
const control = await openControl();
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => {
  control.close();
  vi.useRealTimers();
});

const deploy = (clients: readonly (string | NamedClient)[], plans = 'standard:4,slow:1') =>
  emptyDeployment({ clients, plans, control: control.endpoint });
const code = (name: string, more = {}) => ({ MaterialCode: { S: name }, ...more });
const LAST = new Date('2026-11-20T09:00:00.000Z');
const LONG_AGO = '2026-01-01T00:00:00.000Z';

test('clients: add, rotate, lock, set and remove', async () => {
  const gone = { Client: 'gone', UserName: 'old', Slot: 1, RemovedAt: LONG_AGO };
  const south = { Client: 'south.1', UserName: 'Юг', Plan: 'slow', Slot: 1, OwnPassword: true as const };
  const { data, names } = await deploy(['north', south, gone]);
  await putBatch(names.BalanceSnapshots, 'north', LAST, [entryOf('A', 1)]);
  const lines = [
    ...['add east gone east --silence-hours 72', 'add west --user-name DOMAIN\\west'],
    ...['add far --share --json', 'rotate north --csv', 'rotate north', 'rotate north --again'],
    ...['lock north', 'lock north', 'rotate north --overlap-hours 0 --yes --json', 'list', 'list --late'],
    ...['unlock north', 'list --csv'],
    ...['set north --plan slow --share', 'set east --silence-hours 72'],
    ...['set east --silence-hours 0 --user-name Восток', 'remove far --yes'],
    ...['list --removed', 'show far', 'show gone --json', 'show east'],
  ];
  const shown = await showCommands(
    data,
    lines.map((line) => words(`clients ${line}`)),
  );
  await expectGolden(shown, 'writes/clients.txt');
});

test('clients that an admin should look at', async () => {
  const lateNow = { Client: 'a', SilenceFrom: new Date(NOW.getTime() - 24 * HOUR_MS).toISOString() };
  const misplaced = [
    { Client: 'd', Plan: 'fast', Slot: 1 },
    { Client: 'e', Slot: 5 },
    { Client: 'f', Slot: 0 },
  ];
  const same = [
    { Client: 'b', UserName: 'a' },
    { Client: 'c', Slot: 1, PreviousUntil: LONG_AGO },
  ];
  const { data, names } = await deploy([lateNow, ...same, ...misplaced]);
  await putBatch(names.BalanceSnapshots, 'c', new Date(LONG_AGO), [entryOf('A', 1)]);
  await putBatch(names.BalanceSnapshots, 'f', LAST, [entryOf('A', 1)]);
  // Its escape sequence would colour the lines of a terminal.
  const damaged = [`${LAST.toISOString()}-x`, 'id\u001b[31m'].map((S) => ({
    Client: { S: 'b' },
    SnapshotId: { S },
  }));
  await putItems(names.BalanceSnapshots, damaged);
  const many = await deploy([1, 2, 3, 4, 1, 2, 3, 4].map((Slot, index) => ({ Client: `c${index}`, Slot })));
  const none = await deploy([]);
  const lines = [
    'clients list --csv',
    'clients show c',
    'clients rotate c',
    'clients show f',
    'clients add f',
    'balances --csv',
    'check --client a --strict',
  ];
  const shown = [
    await showCommands(data, lines.map(words)),
    await showCommands(many.data, [words('clients list')]),
    await showCommands(none.data, ['clients list', 'balances', 'changes list'].map(words)),
  ];
  await expectGolden(shown.join('\n'), 'writes/client-notices.txt');
});

const importOf = (name: string, rows: readonly string[], ...options: string[]): Line => {
  writeFileSync(join(folder, name), rows.join('\r\n'));
  return ['codes', 'import', join(folder, name), ...options];
};

test('imports with their reviews', async () => {
  const { data, names } = await deploy(['north']);
  const old = { Name: { S: 'old' }, Kept: { S: 'k' }, Tags: { SS: ['b', 'a'] } };
  await putItems(names.MaterialCodes, [code('A', old), code('B', { Name: { S: 'b' } })]);
  const excel = [
    '\uFEFFКод;Name;Weight:number;Tags:json',
    'A;;7,850;"[""a"",""b""]"',
    'Сталь-10/А;"Лист ""10"";\nмм";12345678901234567890123456789012345678;',
  ];
  const twelve = ['MaterialCode;N:number', ...Array.from({ length: 12 }, (_, row) => `N-${row};1,5`)];
  const replacing = ['MaterialCode,New', 'A,x'];
  const lines = [
    ...[[], ['--csv'], ['--json']].map((format) => importOf('excel.csv', excel, '--dry-run', ...format)),
    importOf('excel.csv', excel),
    importOf('excel.csv', excel, '--csv'),
    words('codes list --csv --separator ;'),
    importOf('twelve.csv', twelve, '--dry-run'),
    importOf('twelve.csv', twelve, '--dry-run', '--all'),
    importOf('twelve.csv', twelve, '--dry-run', '--out', join(folder, 'changes.csv')),
    importOf('replacing.csv', replacing, '--replace', '--dry-run'),
    importOf('replacing.csv', replacing, '--replace', '--yes', '--json'),
    ...['codes list', 'codes remove A --yes', 'codes list', 'orders export'].map(words),
  ];
  const shown = await showCommands(data, lines, { [folder]: 'FOLDER' });
  const written = readFileSync(join(folder, 'changes.csv'), 'utf8').replaceAll(/\uFEFF|\r/g, '');
  await expectGolden(`${shown}\n${written}`, 'writes/imports.txt');
});

test('exports and imports of what a file or the history cannot carry', async () => {
  const { data, names } = await deploy(['north']);
  const spaced = code('B', { Name: { S: 'x' }, 'Name ': { S: 'y' } });
  await putItems(names.MaterialCodes, [code('not taken'), spaced, code('Wide')]);
  const odd = '{"MaterialCode":{"S":"A"},"__proto__":{"S":"p"},"Name":{"S":"n"}}';
  await putRawItem(testClient(), names.MaterialCodes, odd);
  const ofA = (name: string) => ['MaterialCode,Name', `A,${name}`];
  const wide = (count: number) => {
    const columns = Array.from({ length: count }, (_, index) => `N${index}`);
    return [`MaterialCode,${columns}`, `Wide,${columns}`, `New,${columns}`];
  };
  const long = (attribute: string) => [`MaterialCode,${attribute}`, `B,${'x'.repeat(250_000)}`];
  const lines = [
    words('codes export'),
    importOf('spaces.csv', ['MaterialCode, Name', 'B,z', 'A,z']),
    importOf('spaces.csv', ['MaterialCode, Name', 'B,z', 'A,z'], '--replace', '--dry-run'),
    ...[importOf('same.csv', ofA('n')), importOf('other.csv', ofA('x')), words('codes remove A --yes')],
    importOf('replacing.csv', ofA('x'), '--replace'),
    ...[importOf('long.csv', long('Long')), importOf('longer.csv', long('Longer'))],
    ...[importOf('101.csv', wide(101)), importOf('100.csv', wide(100))],
    importOf(
      'signs.csv',
      ['MaterialCode,a;Name,b;W:number', 'A,x;Лист,y;7,5'],
      '--separator',
      ';',
      '--dry-run',
    ),
    ...[importOf('100.csv', wide(100), '--dry-run'), words('codes remove A --yes --accept-warnings')],
    ...[['not taken', 'Wide', 'B', 'Wide'], ['not taken']].map((codes) => [
      'codes',
      'remove',
      ...codes,
      '--yes',
    ]),
  ];
  await expectGolden(await showCommands(data, lines, { [folder]: 'FOLDER' }), 'writes/exports.txt');
});

test('imports and removals with warnings', async () => {
  const { data, names } = await deploy(['north', 'south']);
  const units = { 'BOLT-1': 'kg', 'BOLT-2': 'kg', CABLE: 'm', NUT: 'kg', OLD: 'kg' };
  await putItems(
    names.MaterialCodes,
    Object.entries(units).map(([name, unit]) => code(name, { Unit: { S: unit }, Weight: { N: '1' } })),
  );
  await putItems(names.PurchaseOrders, [{ PurchaseOrder: { S: 'OT0000001' } }]);
  const orders = ['OT0000001', 'OT0000002'];
  const sent = [
    ...[entryOf('BOLT-1', 120.5, 'kg', orders), entryOf('BOLT-2', 3)],
    ...[entryOf('CABLE', 7, 'm', orders), entryOf('NUT', 0, 'kg', orders), entryOf('Plate', 1)],
  ];
  await putBatch(names.BalanceSnapshots, 'north', LAST, sent);
  const earlier = new Date(LAST.getTime() - HOUR_MS);
  await putBatch(names.BalanceSnapshots, 'south', earlier, [entryOf('BOLT-1', -2)]);
  const file = join(folder, 'warned.csv');
  const rows = ['ВOLT-1,kg,1', 'bolt-2,kg,', 'Zаp,,', 'Zap,,', 'PLATE,,', 'BOLT-2,KG,1', 'OLD,кг,1'];
  writeFileSync(file, ['MaterialCode,Unit,Weight', ...rows].join('\n'));
  const importing = ['codes', 'import', file];
  const lines = [
    ...[['--dry-run'], ['--yes'], ['--accept-warnings', '--csv']].map((more) => [...importing, ...more]),
    ...['codes remove BOLT-1 CABLE NUT --yes', 'codes remove OLD --yes'].map(words),
    ...['orders remove OT0000001 --yes', 'orders remove OT0000001 --yes --accept-warnings'].map(words),
  ];
  await expectGolden(await showCommands(data, lines, { [folder]: 'FOLDER' }), 'writes/warnings.txt');
});

test('changes of a list that are warned of, undone and remembered', async () => {
  const { data, names } = await deploy(['north']);
  await putItems(names.MaterialCodes, [code('Kabel-8/1', { Name: { S: 'cable' } }), code('Rohr-4')]);
  await putBatch(names.BalanceSnapshots, 'north', LAST, [entryOf('Rohr-4', 7.5, 'm')]);
  const file = join(folder, 'twins.csv');
  writeFileSync(file, 'MaterialCode;Name;Weight:number\n\u041aabel-8/1;twin;1,5\nKabel-8/1;red;0,5\n');
  /** Shows commands. `CHANGE` in a line is the id of the change before them. */
  const show = async (...lines: string[]) => {
    const { stdout } = await adminHereOn(data, ['codes', 'history', '--last', '1', '--json']);
    const [{ Change: latest = '' } = {}] = JSON.parse(stdout);
    return showCommands(
      data,
      lines.map((line) => words(line.replace('CHANGE', latest).replace('FILE', file))),
      { [folder]: 'FOLDER' },
    );
  };
  const importTwins = 'codes import FILE';
  const shown = [
    await show(importTwins, `${importTwins} --yes`, `${importTwins} --accept-warnings`),
    await show('codes undo CHANGE --dry-run', 'codes undo CHANGE', 'codes undo CHANGE --yes'),
    await show('codes history', 'codes list', 'codes undo CHANGE', 'codes undo nothing'),
    await show('codes remove Rohr-4 --yes', 'codes remove Rohr-4 --yes --accept-warnings'),
    await show('codes history --change CHANGE', 'codes undo CHANGE', 'codes history Kabel-8/1'),
    await show('codes list', 'codes history --csv'),
  ].join('\n');
  // The service's time is that of this machine.
  const times = /20(?!26-11-20)\d\d-\d\d-\d\d[T ][\d:.]+Z?/g;
  await expectGolden(
    shown.replaceAll(times, (time) => 'TIME'.padEnd(time.length, '.')),
    'writes/list-history.txt',
  );
});

test('a restore', async () => {
  const removed = { Slot: 8, RemovedAt: LONG_AGO };
  const others = [
    { Client: 'other', UserName: 'wms', Slot: 8 },
    { Client: 'also', Slot: 8 },
  ];
  const { data, names } = await deploy([
    'north',
    ...others,
    { Client: 'changed', Slot: 9 },
    { Client: 'removed', ...removed },
  ]);
  const copy = await createTable('MaterialCodes');
  // Only snapshots expire.
  const lost = code('lost', { ExpiresAt: { N: '1' } });
  const copied = [lost, code('odd', ODD), code('changed', { Name: { S: 'before' } }), code('same')];
  await putItems(copy, copied);
  const live = [code('odd', { ...ODD, Weight: { N: '1' }, Added: { S: 'since then' } }), code('same')];
  const changed = code('changed', { Name: { S: 'after' } });
  await putItems(names.MaterialCodes, [...live, changed, code('new', { Name: { S: 'since then' } })]);
  const orders = await createTable('PurchaseOrders');
  const order = { PurchaseOrder: { S: 'OT1234567' } };
  await putItems(orders, [{ ...order, Name: { S: 'before' } }]);
  await putItems(names.PurchaseOrders, [{ ...order, Name: { S: 'after' } }]);
  const taken = { Client: 'taken', UserName: 'wms', Slot: 3 };
  const clients = await createClients([
    { Client: 'lost', Slot: 1 },
    taken,
    'changed',
    'removed',
    { Client: 'tomb', ...removed },
  ]);
  const lists = ['--dry-run', '--dry-run --overwrite', '--overwrite', '--overwrite --json', '', ''];
  const lines = [
    ...[...lists, '--overwrite --yes --json'].map(
      (options) => `restore MaterialCodes --from ${copy} ${options}`,
    ),
    ...['--overwrite', '--overwrite --yes'].map(
      (options) => `restore PurchaseOrders --from ${orders} ${options}`,
    ),
    ...['--dry-run', ''].map((options) => `restore Clients --from ${clients} ${options}`),
    ...['clients list --removed', 'codes export --json'],
  ].map((line) => words(line.trim()));
  const places = { [copy]: 'COPY', [orders]: 'ORDERS', [clients]: 'CLIENTS' };
  const shown = await showCommands(data, lines, places);
  await putItems(copy, [code('ch\u0430nged', { Name: { S: 'with a Cyrillic letter' } })]);
  const unwritable = '"__proto__":{"S":"p"}';
  const nested = `{"MaterialCode":{"S":"nested"},"Inner":{"M":{${unwritable}}}}`;
  for (const item of [`{"MaterialCode":{"S":"same"},${unwritable}}`, nested])
    await putRawItem(testClient(), copy, item);
  await putRawItem(testClient(), names.MaterialCodes, `{"MaterialCode":{"S":"same"},${unwritable}}`);
  const warned = ['--yes', '--dry-run', '--overwrite --accept-warnings'].map((options) =>
    words(`restore MaterialCodes --from ${copy} ${options}`),
  );
  await expectGolden(`${shown}\n${await showCommands(data, warned, places)}`, 'writes/restore.txt');
});

testEachIsCompared('writes');
