import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeReport } from '../../admin/formats/write-report.ts';
import { DAY_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn, bytesOf } from './in-process.ts';
import { columnOf, readSheets } from './read-sheets.ts';
import { entry, makeStock } from './stock/make-stock.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');

const reportOf = async (
  batches: Parameters<typeof makeStock>[0],
  options: Partial<Parameters<typeof writeReport>[2]> = {},
) => {
  const { db } = makeStock(batches);
  db.exec(`INSERT INTO finding VALUES (1, 'look-alike', 'warning', NULL, 'A', NULL, NULL, '', '', 40)`);
  let counts = {};
  const workbook = await bytesOf(async (sink) => {
    counts = await writeReport(sink, db, { deploymentName: 'a test', now: NOW, ...options });
  });
  return { counts, sheets: readSheets(workbook) };
};

describe('the workbook', () => {
  const batches = {
    north: [
      { at: NOW.getTime() - 2_000, entries: [entry('A', 0.1), entry('B <&> "Б"', -5, 'm', ['OT1', 'OT2'])] },
      { at: NOW.getTime() - 1_000, entries: [entry('A', 0.3), entry('00123', 7)] },
    ],
    south: [{ at: NOW.getTime() - 1_500, entries: [entry('A', 0.2)] }],
  };

  test('has real numbers, texts and times, each in the order of its table', async () => {
    const { sheets, counts } = await reportOf(batches);
    const [overview, findings, balances, totals, list] = sheets;
    expect(sheets.map(({ name }) => name)).toEqual(['Overview', 'Findings', 'Balances', 'Totals', 'Batches']);
    expect(columnOf(balances, 'Material')).toEqual(['00123', 'A', 'A', 'B &lt;&amp;&gt; &quot;Б&quot;']);
    expect(columnOf(balances, 'Balance')).toEqual([7, 0.3, 0.2, -5]);
    expect(columnOf(balances, 'Warehouse')).toEqual(['north', 'north', 'south', 'north']);
    expect(columnOf(balances, 'Orders')).toEqual([undefined, undefined, undefined, 'OT1 OT2']);
    const received = ['11:59:59.000', '11:59:59.000', '11:59:58.500', '11:59:58.000'];
    expect(columnOf(balances, 'Received')).toEqual(received.map((time) => `2026-11-20T${time}Z`));
    expect(columnOf(totals, 'Total')).toEqual([7, 0.5, -5]);
    expect(columnOf(list, 'Entries')).toEqual([2, 1, 2]);
    expect(columnOf(overview, 'Warehouse')).toEqual(['north', 'south']);
    expect(columnOf(findings, 'Severity')).toEqual(['warning']);
    expect(counts).toMatchObject({ Warehouses: 2, Balances: 4, Batches: 3, Warnings: 40 });
    expect(overview?.cells.get('B1')).toBe('a test');
    expect(overview?.cells.get('B5')).toEqual({ number: 4, format: '0' });
  });

  test('has widths for what is in the columns', async () => {
    const { sheets } = await reportOf(batches);
    // A spreadsheet shows a time that does not fit as ###.
    const times = sheets.flatMap(({ name, cells, widths }) =>
      [...cells].flatMap(([place, cell]) =>
        typeof cell === 'object' && cell.format === '164'
          ? [{ name, place, width: widths[place.charCodeAt(0) - 65] }]
          : [],
      ),
    );
    expect(times).toContainEqual({ name: 'Overview', place: 'B2', width: expect.any(Number) });
    const shown = '2026-11-20 12:00:00 UTC';
    expect(times.filter(({ width = 0 }) => width < shown.length + 2)).toEqual([]);
    // A long name goes on over the next cells.
    const named = await reportOf(batches, { deploymentName: 'x'.repeat(50) });
    expect(named.sheets[0]?.widths[1]).toBe(shown.length + 2);
    const [, , balances] = sheets;
    expect(balances?.widths[0]).toBe('B <&> "Б"'.length + 3);
    for (const [length, width] of [
      [20, 22],
      [70, 62],
    ] as const) {
      const entries = [entry('A', 1), entry('B'.repeat(length), 1)];
      const long = await reportOf({ north: [{ at: NOW.getTime(), entries }] });
      expect(long.sheets[2]?.widths[0]).toBe(width);
    }
  });

  test('of a moment, of a client or since a time has only that', async () => {
    const at = await reportOf(batches, { at: new Date(NOW.getTime() - 1_600) });
    expect(columnOf(at.sheets[2], 'Balance')).toEqual([0.1, -5]);
    expect(at.sheets[0]?.cells.get('B2')).toMatchObject({ format: '164' });
    const south = await reportOf(batches, { client: 'south' });
    expect(columnOf(south.sheets[0], 'Warehouse')).toEqual(['south']);
    expect(columnOf(south.sheets[2], 'Balance')).toEqual([0.2]);
    expect(columnOf(south.sheets[1], 'Kind')).toContain('unlisted-code');
    expect(columnOf(south.sheets[4], 'Entries')).toEqual([1]);
    const sinceThen = await reportOf(batches, { client: 'south', since: new Date(NOW.getTime() - 2_000) });
    expect(columnOf(sinceThen.sheets[4], 'Entries')).toEqual([1]);
    const since = await reportOf(batches, { since: new Date(NOW.getTime() - 1_200) });
    expect(columnOf(since.sheets[4], 'Entries')).toEqual([2]);
    expect(columnOf(since.sheets[2], 'Balance')).toHaveLength(4);
  });

  test('goes on in another sheet if one would be too long', async () => {
    const { sheets } = await reportOf(batches, { maxRows: 3 });
    expect(sheets.map(({ name }) => name)).toEqual([
      ...['Overview', 'Overview 2', 'Findings', 'Balances', 'Balances 2'],
      ...['Totals', 'Totals 2', 'Batches', 'Batches 2'],
    ]);
    const named = (wanted: string) => sheets.find(({ name }) => name === wanted);
    expect(columnOf(named('Balances'), 'Balance')).toEqual([7, 0.3]);
    expect(columnOf(named('Balances 2'), 'Balance')).toEqual([0.2, -5]);
  });
});

test('the command writes a file that only its owner can read, and prints its counts', async () => {
  const { data, names, tables } = await emptyDeployment();
  await putBatch(names.BalanceSnapshots, 'warehouse', new Date(Date.now() - DAY_MS), [entryOf('A', 7)]);
  await tables.put('MaterialCodes', { MaterialCode: 'A', Name: 'Bolt' });
  const out = join(temporaryFolder(), 'report.xlsx');
  const { code, stdout, stderr } = await adminHereOn(data, ['report', '--out', out, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ File: out, Bytes: statSync(out).size, Balances: 1, Batches: 1 });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const [overview, , balances] = readSheets(readFileSync(out));
  expect(overview?.cells.get('B1')).toBe(`the local run in ${data}`);
  expect(columnOf(balances, 'Name')).toEqual(['Bolt']);
  expect(columnOf(balances, 'Balance')).toEqual([7]);
});

test('the report of a client has all findings of its check, also those of the lists', async () => {
  const { data, names, tables } = await emptyDeployment({ clients: ['north', 'south'] });
  for (const client of ['north', 'south'])
    await putBatch(names.BalanceSnapshots, client, new Date(Date.now() - DAY_MS), [entryOf(client, 7)]);
  for (const MaterialCode of ['north', 'south']) await tables.put('MaterialCodes', { MaterialCode });
  const out = join(temporaryFolder(), 'report.xlsx');
  const { stdout } = await adminHereOn(data, ['report', '--client', 'south', '--out', out, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ Warehouses: 1, Late: 1, Errors: 0, Warnings: 0, Notes: 1 });
  const [, findings] = readSheets(readFileSync(out));
  expect(columnOf(findings, 'Kind')).toEqual(['no-balance']);
  expect(columnOf(findings, 'Subject')).toEqual(['north']);
});
