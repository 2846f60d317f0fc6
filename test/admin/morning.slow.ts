import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientMessage, Kinds, TablePage, Work } from '../../admin/console/api.ts';
import { toSnapshotItems } from '../../shared/storage/snapshot.ts';
import { DAY_MS } from '../../shared/time.ts';
import { MORNING, makeMorning } from '../support/morning.ts';
import { startTestConsole, type TestConsole } from './console/test-console.ts';
import { emptyDeployment, putItems } from './tables.ts';

/** Under load, the batches take minutes. */
const READ_WITHIN_MS = 1_500_000;

const made = makeMorning(MORNING, new Date());
const before = new Date(Date.now() - 7 * DAY_MS).toISOString();

let console: TestConsole;
beforeAll(async () => {
  const { names, data } = await emptyDeployment({ clients: [], plans: 'standard:30' });
  await putItems(names.Clients, made.items.Clients);
  await putItems(names.MaterialCodes, made.items.MaterialCodes);
  await putItems(names.PurchaseOrders, made.items.PurchaseOrders);
  // All of them together would need too much memory.
  for (const snapshot of made.snapshots) await putItems(names.BalanceSnapshots, toSnapshotItems(snapshot));
  console = await startTestConsole(data, { cache: false });
  await console.read();
}, READ_WITHIN_MS);
afterAll(() => console.stop());

const ask = async <T>(path: string, parameters: Record<string, string> = {}): Promise<T> => {
  const { status, body } = await console.get(`/api/${path}?${new URLSearchParams(parameters)}`);
  expect({ status, path }).toEqual({ status: 200, path });
  return body;
};
const totalOf = async (filter: Record<string, string>) =>
  (await ask<{ total: number }>('tables/findings/count', filter)).total;
const countOf = async (table: string, filter: Record<string, string> = {}) =>
  (await ask<{ count: number }>(`tables/${table}/count`, filter)).count;

/** How many rows each sheet of a download has. */
const rowsOfSheets = async (path: string) => {
  const response = await fetch(`${console.origin}/api/downloads/${path}`, {
    headers: { Cookie: console.cookie },
  });
  const files = unzipSync(Buffer.from(await response.arrayBuffer()), {
    filter: ({ name }) => /sheet\d+\.xml$/.test(name),
  });
  return Object.values(files).map((bytes) => strFromU8(bytes).split('<row ').length - 1);
};

test('the list of work has a card for each of those that need somebody, with the sums of its links', async () => {
  const { cards, fine } = await ask<Work>('work');
  const { inTonnes, halved, decimalPoint, late } = made;
  const scopes = [inTonnes, halved, decimalPoint, ...late, 'list:MaterialCodes'];
  expect(cards.map(({ scope }) => scope).toSorted()).toEqual(scopes.toSorted());
  expect(fine).toHaveLength(MORNING.warehouses - scopes.length + 1);
  const concerns = cards.flatMap(({ scope, concerns }) => concerns.map((each) => ({ scope, ...each })));
  for (const { scope, kind, state, count, findings } of concerns) {
    expect(await totalOf({ scope, kind, state })).toBe(count);
    expect(findings.length).toBeLessThanOrEqual(10);
  }
  const counts = concerns.map(({ scope, kind, count }) => `${scope} ${kind} ${count}`);
  expect(counts).toContain(`${inTonnes} unit-differs ${MORNING.balances}`);
  expect(counts).toContain(`list:MaterialCodes unlisted-code ${5 * made.unlisted}`);
  for (const { kind, count } of await ask<Kinds>('kinds', { state: 'open' }))
    expect(await totalOf({ kind, state: 'open' })).toBe(count);
});

test('a message about 5,000 balances has 20 of them, and says how many more there are', async () => {
  const { text } = await ask<ClientMessage>('message', { client: made.inTonnes });
  expect(text.match(/: t \(in our list: kg\)$/gm)).toHaveLength(20);
  expect(text).toContain('5\u202f000 materials come in t instead of kg');
  expect(text).toContain('and 4\u202f980 more.');
  expect(text.length).toBeLessThan(2_000);
});

test('a comparison of all warehouses has the same rows on its page and in its workbook', async () => {
  const tables = ['comparedMaterials', 'compared'];
  const counts = await Promise.all(tables.map((table) => countOf(table, { before })));
  // The warehouse in t has each material twice: before in kg, and now in t.
  const { warehouses, balances } = MORNING;
  expect(counts.at(-1)).toBe((warehouses + 1) * balances);
  const [units, ...sheets] = await rowsOfSheets(`comparison?before=${before}`);
  expect(sheets).toEqual(counts.map((count) => count + 1));
  expect(units).toBeLessThan(20);
});

test('the report has all balances, and a first page that a person reads', async () => {
  const [first, ...sheets] = await rowsOfSheets('report?format=xlsx');
  expect(first).toBeLessThan(60);
  expect(sheets).toContain((await countOf('balances')) + 1);
});

test('a search finds a code, two codes, and the balance that lost its decimal point', async () => {
  expect(await countOf('balances', { search: 'eigen-5/7' })).toBe(111);
  expect(await countOf('balances', { search: 'kabel-0007, kabel-0008' })).toBe(50);
  const { columns, rows } = await ask<TablePage>('tables/balances', {
    ...{ client: made.decimalPoint, search: 'kabel-0005' },
  });
  const [balance] = rows.map((row) => row[columns.findIndex(({ name }) => name === 'StockBalance')]);
  expect(await countOf('balances', { search: String(balance).replace('.', ',') })).toBe(1);
});

test('the response after a mark shows it', async () => {
  const concern = { scope: made.inTonnes, kind: 'unit-differs' };
  await console.post('/api/told', { ...concern, mark: 'told', version: null });
  const { cards } = await ask<Work>('work');
  const card = cards.find(({ scope }) => scope === made.inTonnes);
  expect(card?.concerns).toMatchObject([{ state: 'told', count: MORNING.balances }]);
  expect(await totalOf({ ...concern, state: 'open' })).toBe(0);
});
