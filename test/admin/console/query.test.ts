import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TableWindow } from '../../../admin/console/api.ts';
import { askSql } from '../../../admin/console/processes/ask-sql.ts';
import { createProcesses } from '../../../admin/console/processes/create-processes.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entry, makeStock } from '../stock/make-stock.ts';

const file = join(temporaryFolder(), 'stock.sqlite');
makeStock({ north: [{ at: 1_000, entries: [entry('A', 1), entry('B', 2.5)] }] }, file).db.close();

const where = { local: true, data: 'unused', stack: 'unused' };
const never = new AbortController().signal;
const start = () => {
  const processes = createProcesses({ stockFile: file, where });
  onTestFinished(() => processes.end());
  return (sql: string, signal = never, kind: 'window' | 'count' = 'window') =>
    processes.runQuery({ kind, parameters: { sql } }, signal);
};
const ENDLESS = 'WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n) SELECT sum(n) FROM n';
const numbers = (count: number, column = 'n') =>
  `WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n LIMIT ${count}) SELECT ${column} FROM n`;

const askWindow = (sql: string, parameters: Record<string, string> = {}) => {
  const text = askSql({ kind: 'window', parameters: { sql, ...parameters }, stockFile: file });
  const window: TableWindow = JSON.parse(text);
  return { ...window, text, cells: window.rows.map(({ cells }) => cells) };
};
const firstCells = (sql: string, parameters: Record<string, string> = {}) =>
  askWindow(sql, parameters).cells.map(([first]) => first);

test('a query has its columns, its rows and their number', async () => {
  const query = start();
  const sql = 'SELECT material, value FROM balance ORDER BY value DESC; -- done';
  expect(JSON.parse(await query(sql))).toEqual({
    columns: [
      { name: '1', title: 'material', kind: 'text' },
      { name: '2', title: 'value', kind: 'text' },
    ],
    rows: [
      { cells: ['B', 2.5], cursor: '0' },
      { cells: ['A', 1], cursor: '1' },
    ],
    hasMore: false,
  });
  expect(JSON.parse(await query(sql, never, 'count'))).toEqual({ count: 2 });
});

describe('a window', () => {
  const SEVEN = numbers(7);
  const at = (index: number) => askWindow(SEVEN).rows[index]?.cursor ?? '';

  test('goes on after a row and back before one, and says whether there are more', () => {
    const shown = (place: Record<string, string>) => {
      const { cells, hasMore } = askWindow(SEVEN, { limit: '3', ...place });
      return [cells.flat().join(' '), hasMore];
    };
    expect(shown({})).toEqual(['1 2 3', true]);
    expect(shown({ after: at(2) })).toEqual(['4 5 6', true]);
    expect(shown({ after: at(3) })).toEqual(['5 6 7', false]);
    expect(shown({ before: at(4) })).toEqual(['2 3 4', true]);
    expect(shown({ before: at(3) })).toEqual(['1 2 3', false]);
    expect(shown({ before: '' })).toEqual(['5 6 7', true]);
    expect(shown({ before: '', sort: '-1' })).toEqual(['3 2 1', true]);
    expect(shown({ after: at(2), sort: '-1' })).toEqual(['4 3 2', true]);
  });

  test('is the start of the whole result in the order of any column, in both directions', () => {
    const rows = `SELECT column1 AS same, column2 AS same FROM
      (VALUES (10, 'b'), (NULL, 'd'), (9007199254740993, 'c'), (9, 'a'), (10, 'a'), (9007199254740992, 'e'), ('x', 'f'))`;
    const sorted = ['9 a', '10 a', '10 b', '9007199254740992 e', '9007199254740993 c', 'x f', ' d'];
    const shown = (sort: string) => askWindow(rows, { sort, limit: '6' }).cells.map((row) => row.join(' '));
    expect(shown('1')).toEqual(sorted.slice(0, 6));
    expect(shown('-1')).toEqual(['x f', ...sorted.slice(3, 5).reverse(), '10 a', '10 b', '9 a']);
    expect(shown('-2')[0]).toBe('x f');
  });

  test('keeps the limit of the query, and a comment at its end', () => {
    expect(firstCells(`${numbers(9)} ORDER BY n LIMIT 3 -- the first`, { sort: '-1' })).toEqual([3, 2, 1]);
  });

  test('has at most 200 KB, and a text that alone is too long is cut', () => {
    const wide = askWindow(numbers(100, 'hex(zeroblob(5000))'));
    expect(wide).toMatchObject({ rows: { length: 19 }, hasMore: true });
    const huge = askWindow('SELECT hex(zeroblob(500000))');
    expect(huge).toMatchObject({ rows: { length: 1 }, hasMore: false });
    for (const { text } of [wide, huge]) expect(text.length).toBeLessThan(200_000);
  });

  test.each([
    [{ sort: '2' }, 'no column 2'],
    [{ sort: '1, 1' }, 'no column 1, 1'],
    [{ after: '-1' }, 'The place in the table is not valid'],
    [{ before: 'x' }, 'The place in the table is not valid'],
    [{ after: '1', before: '1' }, 'after a row or before a row'],
    [{ limit: '501' }, 'Ask for 1 to 500 rows.'],
    [{ at: 'yesterday' }, 'Write it like'],
    [{ at: '9999-01-01T00:00:00Z' }, 'in the future'],
  ])('%j is refused in words', (parameters, words) => {
    expect(() => askWindow(SEVEN, parameters)).toThrow(words);
  });
});

test('a query that cannot be run is refused in words', async () => {
  for (const sort of [{}, { sort: '1' }]) {
    expect(() => askWindow('DELETE FROM main.balance', sort)).toThrow('can only read');
    expect(() => askWindow('SELECT 1) FROM (SELECT 2', sort)).toThrow('syntax error');
  }
  await expect(start()('')).rejects.toThrow('The query is empty.');
});

test('four queries run at a time, and the next one runs when one of them has ended', async () => {
  const query = start();
  const [gone, others] = [new AbortController(), new AbortController()];
  const endless = Array.from({ length: 4 }, (_, index) =>
    query(ENDLESS, index === 0 ? gone.signal : others.signal).catch(() => {}),
  );
  const ended: string[] = [];
  const fifth = query('SELECT 5').then(() => ended.push('fifth'));
  for (const _ of [1, 2]) await start()('SELECT 1');
  ended.push('first');
  gone.abort();
  await Promise.all([endless[0], fifth]);
  expect(ended).toEqual(['first', 'fifth']);
  others.abort();
  await Promise.all(endless);
  expect(await query('SELECT 6')).toContain('[6]');
});

test('of queries that take too much memory together, the largest ends, and the others go on', async () => {
  const query = start();
  const ending = new AbortController();
  const keeping = (megabytes: number) => `
    WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n LIMIT ${megabytes}),
      kept AS MATERIALIZED (SELECT zeroblob(1000000) AS b FROM n)
    SELECT count(b) FROM kept CROSS JOIN (${ENDLESS.replace('sum(n)', 'n')})`;
  const outcomes = [850, 850, 1, 1].map((megabytes) =>
    query(keeping(megabytes), ending.signal).catch(({ message }) => message),
  );
  await Promise.race(outcomes);
  ending.abort();
  const aborted = 'The operation was aborted';
  const ended = expect.stringMatching(/^This needed too much memory, so it was ended\. .* 2 GB together/);
  expect((await Promise.all(outcomes)).toSorted()).toEqual([aborted, aborted, aborted, ended]);
  expect(await Promise.all(outcomes.slice(2))).toEqual([aborted, aborted]);
});

test('a download of rows without end is ended when its file is too large', async () => {
  const processes = createProcesses({ stockFile: file, where, maxGigabytes: 0.001 });
  onTestFinished(() => processes.end());
  const write = (sql: string) =>
    processes.openDownload(
      {
        download: { kind: 'table', name: 'query', parameters: { sql } },
        format: { kind: 'csv', separator: ',', decimal: '.', hasByteOrderMark: false },
      },
      never,
    );
  const refusal = 'The file would have more than 0.001 GB. Ask for less at a time.';
  await expect(write(ENDLESS.replace('sum(n)', 'n'))).rejects.toThrow(refusal);
  // A title and two ends of lines have 5 bytes.
  const { handle } = await write("SELECT 'x' || hex(zeroblob(499997)) AS a");
  expect((await handle.stat()).size).toBe(1_000_000);
  await handle.close();
  await expect(write("SELECT 'xx' || hex(zeroblob(499997)) AS a")).rejects.toThrow(refusal);
});

test('a query ends at its time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), milliseconds);
    return ending.signal;
  });
  onTestFinished(() => void vi.restoreAllMocks().useRealTimers());
  const query = start();
  const soonEnough = query('SELECT 1');
  vi.advanceTimersByTime(59_999);
  expect(await soonEnough).toContain('"cells":[1]');
  const tooLong = query('SELECT 1');
  vi.advanceTimersByTime(60_000);
  await expect(tooLong).rejects.toThrow('The query was ended after 60 seconds.');
});
