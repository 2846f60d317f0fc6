import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseWorkbook } from '../../../admin/formats/parse-workbook.ts';
import { newSnapshotId, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { type TableName, tableNames } from '../../../shared/tables.ts';
import { createTable } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { putItems } from '../tables.ts';
import { startTestConsole, type TestConsole, testFolder, testSession } from './test-console.ts';

const HOUR_MS = 3_600_000;
const CODE = 'Болт-1/006';
/** A table may be edited by hand. */
const HOSTILE = `a"; filename=evil.exe\r\nX: ${CODE}`;

let console: TestConsole;
let data: string;

const receivedAt = (hoursAgo: number) => new Date(Date.UTC(2026, 10, 20) - hoursAgo * HOUR_MS);
const ids = [newSnapshotId(receivedAt(9), 'a'), newSnapshotId(receivedAt(1), 'b')] as const;
const southern = newSnapshotId(receivedAt(5), 'c');

const batch = (client: string, hoursAgo: number, snapshotId: string, balances: Record<string, number>) => ({
  client,
  snapshotId,
  receivedAt: receivedAt(hoursAgo),
  requestId: 'test',
  entries: Object.entries(balances).map(([MaterialCode, StockBalance]) => ({
    MaterialCode,
    StockBalance,
    StockBalanceUnit: 'kg',
    PurchaseOrders: StockBalance > 5 ? ['OT1234567', 'OT1234568'] : [],
  })),
});

beforeAll(async () => {
  const names = await Promise.all(tableNames.map(async (name) => [name, await createTable(name)] as const));
  const tables: Partial<Record<TableName, string>> = Object.fromEntries(names);
  data = testFolder({ dynamodb: inject('dynamoDbEndpoint'), tables, clients: ['north', 'south'] });
  console = await startTestConsole(await testSession({}, data));
  await putItems(tables.BalanceSnapshots ?? '', [
    ...toSnapshotItems(batch('north', 9, ids[0], { [CODE]: -1_234.5, gone: 7, '00123': 1 })),
    ...toSnapshotItems(batch('north', 1, ids[1], { [CODE]: 8.25, '1E5': 0.001, '00123': 1 })),
    ...toSnapshotItems(batch('south', 5, southern, { [CODE]: 3, [HOSTILE]: 2 })),
  ]);
  await putItems(tables.MaterialCodes ?? '', [
    { MaterialCode: { S: CODE }, Name: { S: '=1+1; "Bolt"' }, Weight: { N: '7.85' } },
    { MaterialCode: { S: '00123' }, Sizes: { L: [{ N: '1.5' }] } },
  ]);
});
afterAll(() => console.stop());

const download = (path: string) =>
  fetch(`${console.origin}/api/downloads/${path}`, { headers: { Cookie: console.cookie } });

const both = new URLSearchParams({ one: `south/${southern}`, other: `north/${ids[1]}` });
const code = encodeURIComponent(CODE);

describe('a download has what the command line prints', () => {
  test.each([
    ['balances?', ['balances']],
    [
      'balances?client=north&at=2026-11-19T20:00:00Z&',
      ['balances', '--client', 'north', '--at', '2026-11-19T20:00:00Z'],
    ],
    [`history?code=${code}&`, ['history', CODE]],
    [`history?code=${code}&client=south&`, ['history', CODE, '--client', 'south']],
    [`batches/north/${ids[0]}?`, ['snapshots', 'export', ids[0]]],
    ['batches/south/latest?', ['snapshots', 'export', southern]],
    [`comparison?${both}&`, ['snapshots', 'diff', southern, ids[1]]],
    ['lists/MaterialCodes?', ['codes', 'export']],
    ['lists/PurchaseOrders?', ['orders', 'export']],
    ['findings?', ['check']],
  ])('%s', async (path, line) => {
    const read = async (format: string) => {
      const response = await download(`${path}format=${format}`);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const run = (...options: string[]) => adminHereOn(data, [...line, ...options]);
    expect((await read('csv')).toString()).toBe((await run('--csv')).stdout);
    expect((await read('csv-comma')).toString()).toBe((await run('--csv', '--separator', ';')).stdout);
    const file = join(data, 'data.xlsx');
    expect(await run('--out', file)).toMatchObject({ code: 0 });
    expect(await parseWorkbook(await read('xlsx'))).toEqual(await parseWorkbook(readFileSync(file)));
  });
});

/** On the clock of this machine. */
const clockOf = (hoursAgo: number) => receivedAt(hoursAgo).toLocaleString('sv-SE').replaceAll(':', '.');
const plainAndEncoded = (header: string | null) =>
  /^attachment; filename="([ -!#-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header ?? '')?.slice(1);

describe('the name of a download', () => {
  test.each([
    ['a batch', 'batches/south/latest?', `batch south ${clockOf(5)}.csv`],
    ['a comparison', `comparison?${both}&`, `comparison south ${clockOf(5)} to north ${clockOf(1)}.csv`],
  ])('of %s says what, which warehouse and when', async (_, path, name) => {
    const { headers } = await download(`${path}format=csv`);
    expect(plainAndEncoded(headers.get('Content-Disposition'))).toEqual([name, encodeURIComponent(name)]);
  });

  test.each([
    [CODE, 'history Болт-1-006 south', 'history ____-1-006 south'],
    [
      HOSTILE,
      'history a-; filename=evil.exe--X- Болт-1-006 south',
      'history a-; filename=evil.exe--X- ____-1-006 south',
    ],
    ["it's(*)", "history it's(-) south", "history it's(-) south"],
    ['鋼'.repeat(256), `history ${'鋼'.repeat(40)} south`, `history ${'_'.repeat(40)} south`],
  ])('for the code %j has nothing that a header or a file cannot have', async (code, name, plain) => {
    const query = new URLSearchParams({ code, client: 'south', at: '2026-11-19T20:00:00Z', format: 'csv' });
    const { headers } = await download(`history?${query}`);
    const names = plainAndEncoded(headers.get('Content-Disposition'));
    const ending = ` ${clockOf(4)}.csv`;
    expect(names?.map(decodeURIComponent)).toEqual([plain + ending, name + ending]);
  });
});

describe('one batch', () => {
  const get = (path: string) => console.get(`/api/batches/${path}`);

  test('has its entries, and the latest one is found without its id', async () => {
    const { body } = await get(`south/${southern}`);
    expect(body).toMatchObject({ client: 'south', snapshotId: southern, requestId: 'test' });
    expect(body.receivedAt).toBe(receivedAt(5).getTime());
    expect(body.entries).toHaveLength(2);
    expect((await get('south/latest')).body).toEqual(body);
  });

  test.each([
    [`south/${ids[0]}`, /^There is no batch .* of south\. It may have expired, or/],
    ['east/latest', /^the local run in .* has no client east/],
    [`north:2/${ids[0]}`, /^The request is not valid/],
    [`north/${'x'.repeat(2_000)}`, /^The request is not valid/],
  ])('%.40s is refused in words', async (path, words) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body).toEqual({ message: expect.stringMatching(words) });
  });

  test('is refused as a file in a format that is none', async () => {
    const { status } = await download(`batches/south/${southern}?format=exe`);
    expect(status).toBe(400);
  });
});
