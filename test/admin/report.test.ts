import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeReport } from '../../admin/formats/write-report.ts';
import { openForReading } from '../../admin/stock/database/open-stock.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn, bytesOf } from './in-process.ts';
import { columnOf, readSheets, rowsOf } from './read-sheets.ts';
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
  const sheets = readSheets(readFileSync(out));
  const [overview, findings, warehouses, balances, totals, batches] = sheets;
  return { counts: JSON.parse(stdout), sheets, overview, findings, warehouses, balances, totals, batches };
};

test('a report is for its owner only, and columns are as wide as their times and texts', async () => {
  const { counts, balances, overview, warehouses } = await report();
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
  expect(overview?.cells.get('A1')).toBe(`Stock of the local run in ${data}`);
  expect(warehouses?.widths[3]).toBe('2026-11-20 12:00:00'.length + 2);
  expect(balances?.widths[0]).toBe(62);
});

test('a report of a moment, of a client or since a time has only that', async () => {
  const at = await report('--at', before(1.6).toISOString());
  expect(columnOf(at.balances, 'Balance')).toEqual([0.1, -5]);
  expect(at.balances?.widths[0]).toBe(SHORT.length + 2);
  expect(at.overview?.cells.get('A2')).toMatch(/^As of 2026-11-20 \S+ \(times of .+\)$/);
  const [southCell = ''] = [...(at.warehouses?.cells ?? [])].find(([, value]) => value === 'south') ?? [];
  expect(at.warehouses?.cells.get(southCell.replace('A', 'H'))).toMatchObject({ number: 0 });
  const south = await report('--client', 'south');
  expect(south.counts).toMatchObject({ Warehouses: 1, Late: 0, Errors: 0, Warnings: 1, Notes: 1 });
  expect(columnOf(south.warehouses, 'Warehouse')).toEqual(['south']);
  expect(columnOf(south.balances, 'Balance')).toEqual([0.2, 1]);
  expect(columnOf(south.totals, 'Total')).toEqual([0.2, 1]);
  expect(columnOf(south.findings, 'Severity')).toEqual(['warning', 'note']);
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

describe('the first page', () => {
  const daysAgo = (days: number) => before(days * 86_400);
  const deploy = async (batches: readonly [days: number, ...entries: ReturnType<typeof entryOf>[]][]) => {
    const deployed = await emptyDeployment({ clients: ['north'] });
    for (const [days, ...entries] of batches)
      await putBatch(deployed.names.BalanceSnapshots, 'north', daysAgo(days), entries);
    await deployed.tables.put('MaterialCodes', { MaterialCode: 'A' });
    const reportOf = async (...options: string[]) => {
      await adminHereOn(deployed.data, ['report', '--out', out, '--utc', ...options]);
      return readSheets(readFileSync(out));
    };
    return { data: deployed.data, reportOf };
  };
  /** Without the example, by its first three columns. */
  const linesOf = ([overview]: ReturnType<typeof readSheets>) =>
    Object.fromEntries(
      rowsOf(overview)
        .filter(([name]) => name !== undefined)
        .map(([name, severity, what, ...numbers]) => [`${name}: ${severity} ${what}`, numbers.slice(0, 4)]),
    );
  const MOVED = 'error the decimal point moved';
  const UNLISTED = 'warning unlisted code';

  test('says what is wrong, since when, and what there was a week before', async () => {
    const [a, b] = [entryOf('A', 1_234), entryOf('B', 1)];
    const { data, reportOf } = await deploy([
      [9, entryOf('A', 1.234), b],
      [7, a, b],
      [6.999, a, b, entryOf('C', 1), entryOf('D', 1)],
      [0.01, a, entryOf('C', 1), entryOf('D', 1)],
    ]);
    expect(linesOf(await reportOf())).toMatchObject({
      '1 warehouse and the lists: error all': [0, 1, -1, undefined],
      '1 warehouse and the lists: warning all': [2, 1, 1, undefined],
      [`The list of material codes: ${UNLISTED}`]: [2, 1, 1, daysAgo(6.999).toISOString()],
      [`north: ${MOVED}`]: [0, 1, -1, undefined],
    });
    await adminHereOn(data, ['told', '--list', 'codes', '--kind', 'unlisted-code']);
    expect(linesOf(await reportOf())[`The list of material codes: ${UNLISTED} (told)`]?.[0]).toBe(2);
    const ofMoment = linesOf(await reportOf('--at', daysAgo(5).toISOString(), '--client', 'north'));
    expect(ofMoment['1 warehouse and the lists: error all']).toEqual([0, 0, 0, undefined]);
  });

  test('has no figures of a week before the batches that were read', async () => {
    const { reportOf } = await deploy([60, 50, 36, 35].map((days) => [days, entryOf('B', 1)]));
    const lines = linesOf(await reportOf('--at', daysAgo(34).toISOString()));
    expect(lines[`The list of material codes: ${UNLISTED}`]?.slice(0, 3)).toEqual([1, undefined, undefined]);
  });

  test('and the other sheets are printed on A4 with their titles, and with no more than 600 rows', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, index) => entryOf(`B${index}`, index));
    const many = [...entries(1_001), entryOf('C', -0.123_456_789_012)];
    const sheets = await (await deploy([[0.1, ...many]])).reportOf();
    expect(sheets.every(({ fitsWidth }) => fitsWidth)).toBe(true);
    expect(Object.fromEntries(sheets.map(({ name, print }) => [name, print]))).toMatchObject({
      Overview: ["'Overview'!$4:$4", undefined],
      Findings: ["'Findings'!$1:$1", undefined],
      Balances: ["'Balances'!$1:$1", "'Balances'!$A$1:$H$601"],
    });
    // 1,002 codes that are not in the list are one line.
    expect(columnOf(sheets[1], 'Count')).toEqual([1_002, 1]);
    const [, , , balances] = sheets;
    expect(balances?.widths[2]).toBe('-0.123456789012'.length + 2);
    const [, , , whole] = await (await deploy([[0.1, ...entries(600)]])).reportOf();
    // The ids of batches are not printed.
    expect(whole?.print).toEqual(["'Balances'!$1:$1", "'Balances'!$A$1:$H$601"]);
  });
});
