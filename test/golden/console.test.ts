import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, test } from 'vitest';
import { writeSentences } from '../../admin/stock/checks/kinds.ts';
import type { Reader } from '../../admin/text/reader.ts';
import { writeFor } from '../../admin/text/write-for.ts';
import { changeWriter } from '../../shared/storage/change-writer.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { snapshotWriter } from '../../shared/storage/snapshot-writer.ts';
import { adminHereOn } from '../admin/in-process.ts';
import { emptyDeployment, type NamedClient, putItems } from '../admin/tables.ts';
import { entryOf } from '../support/batches.ts';
import { type OpenConsole, openConsole, type Parameters } from '../support/console.ts';
import type { Row } from '../support/stock-model.ts';
import { testClient } from '../support/tables.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

/** A time of the 20 November 2026. */
const at = (time: string) => `2026-11-20T${time}:00.000Z`;

const SINCE = { CreatedAt: at('00:00'), PasswordChangedAt: at('00:00'), SilenceFrom: at('00:00') };
const clients: NamedClient[] = [
  {
    ...{ Client: 'north', ...SINCE, UserName: 'Норд', SilenceHours: 6, Plan: 'slow', Slot: 1 },
    PreviousUntil: '2999-01-01T00:00:00.000Z',
  },
  {
    ...{ Client: 'south', ...SINCE, SilenceHours: 0, Plan: 'slow', Slot: 1, OwnPassword: true },
    PreviousUntil: at('01:00'),
  },
  { Client: 'west', ...SINCE, SilenceHours: 24, LockedAt: at('07:00') },
  { Client: 'removed', ...SINCE, RemovedAt: at('08:00') },
  { Client: 'silent', ...SINCE, SilenceHours: 1 },
];

type Sent = [client: string, time: string, entries: ReturnType<typeof entryOf>[]];
const DAMAGED = '10:30';
const sent: Sent[] = [
  ['north', '08:00', [entryOf('A', 0.1), entryOf('B', 4), entryOf('C', 1_000), entryOf('D', 5)]],
  ['south', '08:30', [entryOf('A', 7, 'pcs'), entryOf('Б', 1), entryOf('B', 0.2)]],
  ['removed', '08:45', [entryOf('A', 9, 'kg', ['OT1000008'])]],
  ['north', '09:00', [entryOf('A', 0.3), entryOf('B', 4), entryOf('C', 1_000), entryOf('D', 5)]],
  [
    'south',
    '09:30',
    [entryOf('A', 7, 'pcs'), entryOf('Б', 1), entryOf('B', -0.2, 'kg', ['OT1000002', 'OT1000003'])],
  ],
  ['north', DAMAGED, [entryOf('A', 1)]],
  ['north', '11:00', [entryOf('A', 0.3, 'kg', ['OT1000001']), entryOf('C', 2_000), entryOf('D', 5, 'm')]],
  ['west', '11:15', [entryOf('A', 3_000_000), entryOf('a', 12)]],
];

let console: OpenConsole;
beforeAll(async () => {
  const { names, data } = await emptyDeployment({ clients });
  const dynamodb = testClient();
  const { keep } = snapshotWriter(dynamodb, names.BalanceSnapshots);
  for (const [client, time, entries] of sent) {
    const receivedAt = new Date(at(time));
    const snapshotId = newSnapshotId(receivedAt, 'id');
    const snapshot = { client, snapshotId, receivedAt, requestId: `request-${time}`, entries };
    await keep(snapshot, AbortSignal.timeout(30_000));
    if (time !== DAMAGED) continue;
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: names.BalanceSnapshots,
        Key: { Client: { S: client }, SnapshotId: { S: snapshotId } },
        UpdateExpression: 'REMOVE Balances.A.StockBalance',
      }),
    );
  }
  const changes = changeWriter(dynamodb, names.ChangeTimestamps);
  for (const [time, timestamp] of [
    ['09:10', '2026-11-20T12:00:00,000Z'],
    ['11:10', '2026-11-19T00:00:00,000Z'],
  ] as const) {
    const change = { client: 'north', timestamp, receivedAt: at(time), requestId: `change-${time}` };
    await changes.keep(change, AbortSignal.timeout(30_000));
  }
  await putItems(names.MaterialCodes, [
    { MaterialCode: { S: 'A' }, Name: { S: 'Pipe A' }, Size: { N: '9' }, Client: { S: 'like a column' } },
    { MaterialCode: { S: 'C' }, Name: { S: 'Pipe C' }, Unit: { S: 'kg' } },
    { MaterialCode: { S: 'D' }, Size: { N: '10' }, Unit: { S: 'kg' } },
    { MaterialCode: { S: 'Unused' }, Tags: { L: [{ S: 'x' }] } },
  ]);
  await putItems(names.PurchaseOrders, [
    { PurchaseOrder: { S: 'OT1000001' }, Supplier: { S: 'Nord' } },
    { PurchaseOrder: { S: 'OT1000009' } },
  ]);
  // A removed client's batches come into the stock only by such a command.
  await adminHereOn(data, ['balances', '--client', 'removed']);
  console = await openConsole(data);
  await console.read();
});
afterAll(() => console.stop());

const german: Reader = { timeZone: 'Europe/Berlin', decimal: ',' };

/** Times of the day, because all are of one day. The cells of both sentences are equal: one shows its data, and one what a page writes. */
const shownCell = (column: string, cell: Row[string] | undefined) =>
  column === 'Advice'
    ? Object.values(writeFor(german, () => writeSentences(String(cell)))).join(' ')
    : typeof cell === 'number' && /(At|From|Until)$|^SinceAtLeast$/.test(column)
      ? new Date(cell).toISOString().slice(11, 16)
      : String(cell ?? '');

type Shown = readonly [table: string, parameters?: Parameters, columns?: readonly string[]];

/** Shows all columns, or the chosen ones. */
const showTable = async ([table, parameters = {}, columns]: Shown) => {
  const rows = await console.rows(table, parameters);
  const count = await console.count(table, parameters);
  const names = columns ?? Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => names.map((name) => shownCell(name, row[name])).join(' | '));
  return [`${table} ${JSON.stringify(parameters)}: ${count}`, names.join(' | '), ...lines, ''].join('\n');
};

const showTables = async (tables: readonly Shown[]) => {
  const texts: string[] = [];
  for (const table of tables) texts.push(await showTable(table));
  return texts.join('\n');
};

const BEFORE_LAST = { at: at('10:59') };
const KEYS: Record<string, string[]> = {
  balances: ['MaterialCode', 'Client'],
  totals: ['MaterialCode', 'StockBalanceUnit'],
  codes: ['MaterialCode'],
  warehouses: ['Client'],
};
const sorted = (table: string, columns: readonly string[], filter: Parameters = {}) =>
  columns.flatMap((column) =>
    [column, `-${column}`].map(
      (sort) => [table, { ...filter, sort }, [...(KEYS[table] ?? []), column]] as const,
    ),
  );
const filtered = (table: string, ...filters: Parameters[]) =>
  filters.map((filter) => [table, filter, KEYS[table] ?? []] as const);

test.each([
  [
    'balances',
    [
      ['balances'],
      ['balances', BEFORE_LAST],
      ['balances', { at: at('07:59') }],
      ...filtered(
        'balances',
        { client: 'removed' },
        { client: 'absent' },
        { material: 'a' },
        { order: '0002' },
      ),
      // The first letter of the second search is Cyrillic.
      ...filtered(
        'balances',
        { search: 'pipe nor' },
        { search: 'В nor' },
        // A number in a text, and one that nothing has.
        ...[{ search: '1000002 sou' }, { search: '1000002 nor' }, { search: '77' }],
        { since: at('09:30') },
        { unit: 'm' },
      ),
      ...filtered('balances', { finding: 'any' }, { finding: 'unit-differs', client: 'north' }),
      ...sorted('balances', ['Client', 'StockBalance', 'StockBalanceUnit', 'Difference', 'PurchaseOrders']),
      ...sorted('balances', ['ReceivedAt', 'SinceAtLeast', 'SnapshotId', 'list.Size', 'list.Client']),
      ['totals'],
      ['totals', BEFORE_LAST],
      ['totals', { client: 'south' }],
      ...filtered('totals', { material: 'A', unit: 'kg' }, { search: 'pipe' }, { client: 'removed' }),
      ...sorted('totals', ['StockBalance', 'Warehouses', 'list.Name']),
      ...sorted('totals', ['StockBalance'], BEFORE_LAST),
    ],
  ],
  [
    'history',
    [
      ['history', { material: 'A' }],
      ['history', { material: 'B', ...BEFORE_LAST }],
      ['history', { material: 'D', client: 'north', since: at('09:00') }],
      ['history'],
      ['sentBalances', { material: 'B' }],
      ['sentBalances', { material: 'A', client: 'removed' }],
      ['orderUses', { order: 'ot100000' }],
      ['orderUses', { order: 'ot100000', client: 'south' }],
      ['orderUses', { order: 'OT1000002', at: at('09:29') }],
    ],
  ],
  [
    'comparisons',
    [
      ['compared', { before: at('08:59') }],
      ['compared', { before: at('08:59'), at: at('10:59'), clients: 'north,souther', search: 'a, none' }],
      ['compared', { before: at('08:59'), clients: 'north,south', search: 'a, b', differing: 'yes' }],
      ['comparedMaterials', { before: at('08:59'), clients: 'north,south', search: 'a, b' }],
      ['comparedUnits', { before: at('08:59'), clients: 'north,south' }],
    ],
  ],
  [
    'batches',
    [
      ['batches'],
      ['batches', { client: 'north', ...BEFORE_LAST }],
      ['batches', { search: 'request-09 sou' }],
      ['entries', { client: 'north', id: `${at('11:00')}-id` }],
      ['entries', { client: 'north', id: `${at(DAMAGED)}-id` }],
      ['entries', { client: 'south', id: `${at('09:30')}-id`, search: 'ot' }],
      ['differences', { one: `north/${at('09:00')}-id`, other: `north/${at('11:00')}-id` }],
      ['differences', { one: `south/${at('08:30')}-id`, other: `removed/${at('08:45')}-id` }],
      ['differences', { one: 'north', other: `north/${at('08:00')}-id` }],
      // The unit of D is another one.
      ['compared', { before: at('09:30'), at: at('12:00'), search: 'D' }],
      ['changes'],
      ['changes', { at: at('11:00') }],
    ],
  ],
  [
    'lists',
    [
      ['codes'],
      ['codes', { id: 'C' }],
      ['codes', { search: 'pipe' }],
      ...sorted('codes', ['list.Size']),
      ['orders'],
    ],
  ],
  [
    'warehouses',
    [
      ['warehouses', { at: at('16:59') }],
      ['warehouses', { at: at('17:00') }],
      ['warehouses', BEFORE_LAST],
      ...sorted('warehouses', ['EntryCount', 'Errors', 'State'], { at: at('12:00') }),
      ...filtered('warehouses', { search: 'SOU', at: at('12:00') }, { client: 'north', at: at('12:00') }),
      [
        'clients',
        {},
        [
          'Client',
          'UserName',
          'Plan',
          'Slot',
          'SharedWith',
          'OwnPassword',
          'PreviousUntil',
          'LastBatchAt',
          'LastChangeAt',
          'State',
          'SilenceHours',
        ],
      ],
      ['clients', { search: 'НОРД' }, ['Client', 'SharedWith']],
    ],
  ],
  [
    'findings',
    [
      ['findings', { at: at('12:00') }],
      ['findings', { ...BEFORE_LAST, severity: 'warning' }],
      ['findings', { at: at('12:00'), material: 'D' }],
      ['findings', { at: at('12:00'), client: 'south', sort: '-Subject' }],
      ['findings', { at: at('12:00'), search: 'letter case' }],
    ],
  ],
] satisfies [string, Shown[]][])('what the console shows of %s', async (name, tables) => {
  await expectGolden(await showTables(tables), `console/${name}.txt`);
});

test('what the console shows beside its tables', async () => {
  const starts = ['08:00', '09:00', '09:10', '10:30'].map((time) => Date.parse(at(time))).join();
  const shown = {
    arrivals: await console.ask('arrivals', { at: at('11:00'), starts }),
    choices: await console.ask('choices'),
    kinds: await console.ask('kinds', { at: at('12:00') }),
    material: await console.ask('materials/A', { at: at('12:00') }),
    materialThatIsLeftOut: await console.ask('materials/B', { at: at('12:00') }),
    materialBefore: await console.ask('materials/A', { at: at('08:15') }),
    materialAtBatch: await console.ask('materials/A', { at: at('08:30') }),
    materialJustBefore: await console.ask('materials/A', { at: '2026-11-20T08:29:59.999Z' }),
    kindsAtBatch: await console.ask('kinds', { at: at('09:30') }),
    kindsJustBefore: await console.ask('kinds', { at: '2026-11-20T09:29:59.999Z' }),
    absentMaterial: await console.ask('materials/absent'),
  };
  await expectGolden(JSON.stringify(shown, null, 1), 'console/others.txt');
});

testEachIsCompared('console');
