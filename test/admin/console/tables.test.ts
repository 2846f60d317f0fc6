import { describe, expect, test } from 'vitest';
import type { TableWindow } from '../../../admin/console/api.ts';
import type { readStockState } from '../../../admin/console/queries/read-state.ts';
import { respond, type StockRequest } from '../../../admin/console/queries/stock-requests.ts';
import { writeNextVersion } from '../../../admin/stock/database/meta.ts';
import { Failure } from '../../../admin/text/failure.ts';
import { type Batch, entry, makeStock } from '../stock/make-stock.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const batch = (hoursAgo: number, ...balances: readonly (readonly [string, number])[]): Batch => ({
  at: NOW - hoursAgo * HOUR,
  entries: balances.map(([code, balance]) => entry(code, balance)),
});

const { db } = makeStock({
  north: [batch(3, ['A', 1], ['B', 2], ['C', 3]), batch(1, ['A', 4], ['B', 2], ['C', -1.5])],
  south: [batch(2, ['B', 10], ['D', 7])],
});

const ask = (request: StockRequest) => JSON.parse(respond(db, request));
const windowOf = (parameters: Record<string, string> = {}, name = 'balances'): TableWindow =>
  ask({ kind: 'window', name, parameters });
/** The code, the warehouse and the balance of each row. */
const rowsOf = ({ columns, rows }: TableWindow) => {
  const shown = ['MaterialCode', 'Client', 'StockBalance'].map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  return rows.map(({ cells }) => shown.map((index) => cells[index]).join(' '));
};
const ALL = ['A north 4', 'B north 2', 'B south 10', 'C north -1.5', 'D south 7'];
const cursorAt = (window: TableWindow, index: number) => window.rows.at(index)?.cursor ?? '';

describe('a window', () => {
  test('has the first rows, and says whether more follow', () => {
    expect(rowsOf(windowOf())).toEqual(ALL);
    expect(windowOf().hasMore).toBe(false);
    const first = windowOf({ limit: '2' });
    expect([rowsOf(first), first.hasMore]).toEqual([ALL.slice(0, 2), true]);
    expect(windowOf({ limit: '5' }).hasMore).toBe(false);
  });

  test('goes on after its last row, and back before its first', () => {
    const first = windowOf({ limit: '2' });
    const next = windowOf({ limit: '2', after: cursorAt(first, -1) });
    expect([rowsOf(next), next.hasMore]).toEqual([ALL.slice(2, 4), true]);
    const last = windowOf({ limit: '2', after: cursorAt(next, -1) });
    expect([rowsOf(last), last.hasMore]).toEqual([ALL.slice(4), false]);
    const back = windowOf({ limit: '3', before: cursorAt(last, 0) });
    expect([rowsOf(back), back.hasMore]).toEqual([ALL.slice(1, 4), true]);
    const start = windowOf({ limit: '3', before: cursorAt(back, 0) });
    expect([rowsOf(start), start.hasMore]).toEqual([ALL.slice(0, 1), false]);
  });

  test('ends with the last row if it is before nothing', () => {
    const end = windowOf({ limit: '2', before: '' });
    expect([rowsOf(end), end.hasMore]).toEqual([ALL.slice(3), true]);
  });

  test('is sorted by any column in both directions, and goes on there', () => {
    const sorted = ['B south 10', 'D south 7', 'A north 4', 'B north 2', 'C north -1.5'];
    const first = windowOf({ sort: '-StockBalance', limit: '3' });
    expect(rowsOf(first)).toEqual(sorted.slice(0, 3));
    const next = windowOf({ sort: '-StockBalance', after: cursorAt(first, -1) });
    expect(rowsOf(next)).toEqual(sorted.slice(3));
    expect(rowsOf(windowOf({ sort: 'StockBalance' }))).toEqual(sorted.toReversed());
  });

  test('shows a filter and a moment', () => {
    expect(rowsOf(windowOf({ search: 'b', client: 'south' }))).toEqual(['B south 10']);
    expect(rowsOf(windowOf({ at: '2026-11-20T09:30:00Z' }))).toEqual(['A north 1', 'B north 2', 'C north 3']);
  });

  test('counts the rows of its filter', () => {
    expect(ask({ kind: 'count', name: 'balances', parameters: { search: 'b' } })).toEqual({ count: 2 });
    expect(ask({ kind: 'count', name: 'totals' })).toEqual({ count: 4 });
  });

  test('has totals with all their digits, and without zeros at the end', () => {
    const { db } = makeStock({
      north: [batch(3, ['A', 0.25], ['B', 0.1], ['C', 1e-7]), batch(1, ['A', 0.25], ['B', 0.3], ['C', 2e-7])],
      south: [batch(2, ['A', 0.75], ['B', 0.2], ['C', -2e-7])],
    });
    const totals = (parameters: Record<string, string>) => {
      const { rows }: TableWindow = JSON.parse(respond(db, { kind: 'window', name: 'totals', parameters }));
      return rows.map(({ cells }) => cells[1]);
    };
    const now = { at: new Date(NOW).toISOString() };
    for (const parameters of [{}, now, { ...now, sort: 'StockBalance' }])
      expect(totals(parameters).toSorted()).toEqual(['0', '0.5', '1']);
    expect(totals({ at: new Date(NOW - 2 * HOUR).toISOString() })).toEqual(['1', '0.3', '-0.0000001']);
  });

  test('has less than 200 KB: long rows make it shorter, in both directions, and a huge one is cut', () => {
    const long = 'x'.repeat(60_000);
    const orders = Array.from({ length: 10 }, (_, index) => `${long}${index}`);
    const entries = orders.map((order, index) => entry(`M${index}`, 1, 'kg', index === 5 ? orders : [order]));
    const { db } = makeStock({ north: [{ at: NOW, entries }] });
    const read = (parameters: Record<string, string>): { text: string; window: TableWindow } => {
      const text = respond(db, { kind: 'window', name: 'balances', parameters });
      return { text, window: JSON.parse(text) };
    };
    const first = read({});
    expect(first.window).toMatchObject({ hasMore: true, rows: { length: 3 } });
    const end = read({ before: '' });
    expect(end.window.rows.map(({ cells }) => cells[0])).toEqual(['M7', 'M8', 'M9']);
    const next = read({ after: cursorAt(read({ after: cursorAt(first.window, -1) }).window, -1) });
    expect(rowsOf(next.window)[0]).toBe('M5 north 1');
    for (const { text } of [first, end, next]) expect(text.length).toBeLessThan(200_000);
  });
});

test('findings, and their counts, are those of the moment, and then the latest again', () => {
  const findingsOf = (parameters: Record<string, string> = {}) =>
    windowOf(parameters, 'findings')
      .rows.map(({ cells }) => cells.join(' '))
      .join();
  const atNow = '2026-11-20T11:30:00Z';
  expect(rowsOf(windowOf({ at: atNow, finding: 'sign-flipped' }))).toEqual(['C north -1.5']);
  expect(findingsOf()).not.toContain('sign-flipped');
  expect(findingsOf({ at: atNow })).toContain('sign-flipped');
  expect(ask({ kind: 'choices', parameters: { at: atNow } }).kinds).toContainEqual({
    kind: 'sign-flipped',
    severity: 'warning',
    count: 1,
  });
  expect(findingsOf({ at: '2026-11-20T09:30:00Z' })).not.toContain('sign-flipped');
  expect(findingsOf({ at: atNow })).toContain('sign-flipped');
  expect(findingsOf()).not.toContain('sign-flipped');
});

test('findings of a moment are those of the moment also after a check that failed', () => {
  const findingsAt = (at: string) => rowsOf(windowOf({ at, finding: 'sign-flipped' }));
  const atNow = new Date(NOW).toISOString();
  expect(findingsAt(atNow)).toEqual(['C north -1.5']);
  // A view in place of a table makes the check fail midway.
  db.exec('CREATE TEMP VIEW check_found AS SELECT 1');
  expect(() => findingsAt('2026-11-20T09:30:00Z')).toThrow('check_found');
  db.exec('DROP VIEW check_found');
  expect(findingsAt(atNow)).toEqual(['C north -1.5']);
});

test('findings of a moment are those of what is known by now', () => {
  const { db } = makeStock({ north: [batch(3, ['A', 1]), batch(1, ['A', -1])] });
  const findings: StockRequest = {
    kind: 'count',
    name: 'findings',
    parameters: { at: '2026-11-20T11:30:00Z' },
  };
  expect(respond(db, findings)).toBe('{"count":2}');
  db.exec('UPDATE client SET is_warehouse = 0');
  writeNextVersion(db);
  expect(respond(db, findings)).toBe('{"count":0}');
});

describe('the state of the stock', () => {
  const read = (...changes: string[]) => {
    const { db } = makeStock({
      north: [1, 2, 3].map((at) => ({ at, entries: [entry('A', at)] })),
      south: [{ at: 2, entries: [entry('A', 1)] }],
    });
    for (const change of ['UPDATE client SET has_all_batches = 1', ...changes]) db.exec(change);
    const state: ReturnType<typeof readStockState> = JSON.parse(respond(db, { kind: 'state' }));
    return [state.unread, state.batches, state.completeSince];
  };
  const unread = (instant: number) => `UPDATE batch SET state = 'unread' WHERE instant = ${instant}`;

  test.each([
    ['all are read', [], [0, 4, 1]],
    ['an older one is unread', [unread(1)], [1, 4, 2]],
    [
      'those of one warehouse are listed in part',
      [`UPDATE client SET has_all_batches = 0 WHERE name = 'south'`],
      [0, 4, 2],
    ],
    ['a new one is unread, which is no gap', [unread(3)], [1, 4, 1]],
    ['a warehouse has none that is read', [unread(2)], [2, 4, null]],
    [
      'a warehouse has none',
      [`DELETE FROM batch WHERE client IN (SELECT id FROM client WHERE name = 'south')`],
      [0, 3, 1],
    ],
    ['a damaged one is as good as read', [`UPDATE batch SET state = 'damaged' WHERE instant = 1`], [0, 4, 1]],
    ['nobody has sent one', ['DELETE FROM batch'], [0, 0, null]],
    ['there are no warehouses', ['UPDATE client SET is_warehouse = 0'], [0, 0, null]],
  ])('when %s', (_, changes, state) => {
    expect(read(...changes)).toEqual(state);
  });
});

describe('refuses in words', () => {
  test.each([
    [{ at: 'yesterday' }, 'Write it like'],
    [{ at: '' }, 'Write it like'],
    [{ at: '2026-02-30T00:00:00Z' }, 'Write it like'],
    [{ at: '9999-01-01T00:00:00Z' }, 'in the future'],
    [{ since: 'x' }, 'Write the time like'],
    [{ sort: 'Nothing' }, 'no column Nothing'],
    [{ sort: '' }, 'no column'],
    [{ limit: '0' }, 'Ask for 1 to 500 rows.'],
    [{ limit: '501' }, 'Ask for 1 to 500 rows.'],
    [{ limit: '1e2' }, 'Ask for 1 to 500 rows.'],
    [{ after: '' }, 'The place in the table is not valid'],
    [{ after: 'x' }, 'The place in the table is not valid'],
    [{ before: Buffer.from('["A"]').toString('base64url') }, 'The place in the table is not valid'],
    [{ after: Buffer.from('["A",1,{}]').toString('base64url') }, 'The place in the table is not valid'],
    [{ after: 'x', before: 'y' }, 'after a row or before a row'],
  ])('%j', (parameters, words) => {
    expect(() => windowOf(parameters)).toThrow(
      expect.objectContaining({ name: 'Failure', message: expect.stringContaining(words) }),
    );
  });

  test.each(['balances', 'codes'])('a search of more than 50 words in %s', (name) => {
    const search = (words: number) => windowOf({ search: 'a '.repeat(words) }, name);
    expect(search(50).hasMore).toBe(false);
    expect(() => search(51)).toThrow(new Failure('The search has 51 words. Write at most 50.'));
    expect(() => search(3_000)).toThrow('The search has 3,000 words.');
  });

  test.each(['nothing', 'constructor', '__proto__'])('a table %s', (name) => {
    expect(() => windowOf({}, name)).toThrow('There is no table of this name.');
  });
});
