import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeReport } from '../../admin/formats/write-report.ts';
import { openForReading } from '../../admin/stock/database/open-stock.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn, bytesOf } from './in-process.ts';
import { columnOf, readSheets } from './read-sheets.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const folder = temporaryFolder();
const out = join(folder, 'report.xlsx');
/** Columns are at most this wide, and a short one is as wide as its longest text. */
const [LONG, SHORT] = ['L'.repeat(70), 'S'.repeat(20)];

let data: string;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  const { names, tables, ...deployed } = await emptyDeployment({ clients: ['north', 'south', 'silent'] });
  ({ data } = deployed);
  const send = (client: string, at: Date, ...entries: ReturnType<typeof entryOf>[]) =>
    putBatch(names.BalanceSnapshots, client, at, entries);
  await send('north', before(2), entryOf('A', 0.1), entryOf(SHORT, -5, 'm'));
  await send('north', before(1), entryOf('A', 0.3), entryOf('00123', 7));
  await send('south', before(1.5), entryOf('A', 0.2), entryOf(LONG, 1));
  for (const MaterialCode of ['A', 'gone']) await tables.put('MaterialCodes', { MaterialCode });
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const report = async (...options: string[]) => {
  const { code, stdout, stderr } = await adminHereOn(data, ['report', '--out', out, '--json', ...options]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const [overview, findings, balances, totals, batches] = readSheets(readFileSync(out));
  return { counts: JSON.parse(stdout), overview, findings, balances, totals, batches };
};

test('a report is for its owner only, and columns are as wide as their times and texts', async () => {
  const { counts, balances, overview } = await report();
  expect(counts).toMatchObject({
    File: out,
    Bytes: statSync(out).size,
    Warehouses: 3,
    Late: 1,
    Balances: 5,
    Batches: 3,
  });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(columnOf(balances, 'Material')).toEqual(['00123', 'A', 'A', LONG, SHORT]);
  expect(columnOf(balances, 'Balance')).toEqual([7, 0.3, 0.2, 1, -5]);
  // A spreadsheet shows a time that does not fit as ###. The long name of the deployment goes on over the next cells.
  expect(overview?.cells.get('B2')).toMatchObject({ format: '164' });
  expect(overview?.cells.get('B1')).toBe(`the local run in ${data}`);
  expect(overview?.widths[1]).toBe('2026-11-20 12:00:00'.length + 2);
  expect(balances?.widths[0]).toBe(62);
});

test('a report of a moment, of a client or since a time has only that', async () => {
  const at = await report('--at', before(1.6).toISOString());
  expect(columnOf(at.balances, 'Balance')).toEqual([0.1, -5]);
  expect(at.balances?.widths[0]).toBe(SHORT.length + 2);
  expect(at.overview?.cells.get('B2')).toMatchObject({ format: '164' });
  const [southCell = ''] = [...(at.overview?.cells ?? [])].find(([, value]) => value === 'south') ?? [];
  expect(at.overview?.cells.get(southCell.replace('A', 'H'))).toMatchObject({ number: 0 });
  const south = await report('--client', 'south');
  expect(south.counts).toMatchObject({ Warehouses: 1, Late: 0, Errors: 0, Warnings: 1, Notes: 1 });
  expect(columnOf(south.overview, 'Warehouse')).toEqual(['south']);
  expect(columnOf(south.balances, 'Balance')).toEqual([0.2, 1]);
  expect(columnOf(south.totals, 'Total')).toEqual([0.2, 1]);
  expect(columnOf(south.findings, 'Kind')).toEqual(['unlisted-code', 'no-balance']);
  expect(columnOf(south.batches, 'Entries')).toEqual([2]);
  const since = await report('--since', before(1.2).toISOString());
  expect(columnOf(since.batches, 'Entries')).toEqual([2]);
  expect(columnOf(since.balances, 'Balance')).toHaveLength(5);
  const both = await report('--client', 'south', '--since', before(1.2).toISOString());
  expect(columnOf(both.batches, 'Entries')).toEqual([]);
});

test('a sheet that would be too long goes on in another one', async () => {
  await adminHereOn(data, ['balances']);
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.sqlite'));
  const db = openForReading(join(folder, name));
  const options = { deploymentName: 'a test', now: NOW, maxRows: 3 };
  const sheets = readSheets(await bytesOf((sink) => writeReport(sink, db, options)));
  db.close();
  const numbered = (name: string, count: number) => [
    name,
    ...[2, 3].slice(0, count - 1).map((number) => `${name} ${number}`),
  ];
  expect(sheets.map(({ name }) => name).filter((name) => /^(Bal|Bat)/.test(name))).toEqual([
    ...numbered('Balances', 3),
    ...numbered('Batches', 2),
  ]);
  const named = (wanted: string) =>
    columnOf(
      sheets.find(({ name }) => name === wanted),
      'Balance',
    );
  expect([named('Balances'), named('Balances 2'), named('Balances 3')]).toEqual([[7, 0.3], [0.2, 1], [-5]]);
});
