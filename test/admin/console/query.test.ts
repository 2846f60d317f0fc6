import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { QueryResult } from '../../../admin/console/api.ts';
import { askSql } from '../../../admin/console/processes/ask-sql.ts';
import { createProcesses } from '../../../admin/console/processes/create-processes.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entry, makeStock } from '../stock/make-stock.ts';

const file = join(temporaryFolder(), 'stock.sqlite');
makeStock({ north: [{ at: 1_000, entries: [entry('A', 1), entry('B', 2.5)] }] }, file).db.close();

const where = { local: true, data: 'unused', stack: 'unused' };
const start = (timeLimitMs?: number) => {
  const processes = createProcesses({ file, where }, timeLimitMs);
  onTestFinished(() => processes.end());
  return processes;
};
const never = new AbortController().signal;
const ENDLESS = 'WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n) SELECT sum(n) FROM n';
const numbers = (count: number, column: string) =>
  `WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n LIMIT ${count}) SELECT ${column} FROM n`;
const ask = (sql: string): QueryResult & { text: string } => {
  const text = askSql({ file, sql });
  return { ...JSON.parse(text), text };
};

test('a query has its columns and rows', async () => {
  const json = await start().query('SELECT material, value FROM balance ORDER BY value', undefined, never);
  const rows = [
    ['A', 1],
    ['B', 2.5],
  ];
  expect(JSON.parse(json)).toEqual({ columns: ['material', 'value'], rows, isCut: false });
});

test('at most 1,000 rows are shown, and at most 200 KB', () => {
  expect(ask(numbers(1_000, 'n'))).toMatchObject({ rows: { length: 1_000 }, isCut: false });
  expect(ask(numbers(1_001, 'n'))).toMatchObject({ rows: { length: 1_000 }, isCut: true });
  const wide = ask(numbers(1_000, 'hex(zeroblob(5000))'));
  expect(wide).toMatchObject({ rows: { length: 19 }, isCut: true });
  const huge = ask('SELECT hex(zeroblob(500000))');
  expect(huge).toMatchObject({ rows: { length: 1 }, isCut: false });
  for (const { text } of [wide, huge]) expect(text.length).toBeLessThan(200_000);
});

test('a query that cannot be run is refused in words', async () => {
  await expect(start().query('DELETE FROM main.balance', undefined, never)).rejects.toThrow('can only read');
  await expect(start().query('', undefined, never)).rejects.toThrow('The query is empty.');
});

test('four queries run at a time, and the next one runs when one of them has ended', async () => {
  const processes = start();
  const gone = new AbortController();
  const endless = Array.from({ length: 4 }, (_, index) =>
    processes.query(ENDLESS, undefined, index === 0 ? gone.signal : never).catch(() => {}),
  );
  const ended: string[] = [];
  const fifth = processes.query('SELECT 5', undefined, never).then(() => ended.push('fifth'));
  for (const _ of [1, 2]) await start().query('SELECT 1', undefined, never);
  ended.push('first');
  gone.abort();
  await Promise.all([endless[0], fifth]);
  expect(ended).toEqual(['first', 'fifth']);
});

test('a query ends at its time limit, and with the request of the browser', async () => {
  await expect(start(300).query(ENDLESS, undefined, never)).rejects.toThrow('ended after 0.3 seconds');
  const gone = new AbortController();
  const query = start().query(ENDLESS, undefined, gone.signal);
  setTimeout(() => gone.abort(), 100);
  await expect(query).rejects.toThrow('abort');
});
