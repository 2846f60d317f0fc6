import { describe, expect, test } from 'vitest';
import { planUndo } from '../../../admin/lists/history/plan-undo.ts';
import { keepPlans } from '../../../admin/lists/plan/keep-plans.ts';
import { planChanges } from '../../../admin/lists/plan/plan-changes.ts';
import type { RowChange } from '../../../admin/lists/plan/row-change.ts';
import type { Marked } from '../../../admin/text/marked.ts';
import type { Item } from '../../../shared/storage/attribute-json.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { read } from './rows.ts';

const changes = (count: number) =>
  Array<RowChange>(count).fill({ kind: 'added', identifier: 'A', before: {}, after: {} });

let now = 0;
const { keep, release } = keepPlans(() => now, 100);
const keepOf = (count: number, warnings: Marked[] = []) =>
  keep('MaterialCodes', { changes: changes(count), warnings }, { kind: 'edit' });
const isKept = (id: string) => {
  try {
    return release(id, false).changes.length > 0;
  } catch {
    return false;
  }
};

describe('a plan that is kept', () => {
  test('stays while other plans are made, and is released once', () => {
    const first = keepOf(10);
    for (let newer = 0; newer < 9; newer += 1) keepOf(10);
    expect(isKept(first)).toBe(true);
    expect(() => release(first, false)).toThrow('Review them again');
  });

  test('stays until its warnings are accepted', () => {
    const id = keepOf(1, [['a warning']]);
    expect(() => release(id, false)).toThrow('Nothing was written, because the review has warnings.');
    expect(release(id, true).changes).toHaveLength(1);
  });

  test('goes, the oldest first, when all have too many changes, and the newest stays', () => {
    const [oldest, older, newest] = [keepOf(40), keepOf(60), keepOf(40)];
    expect([oldest, older, newest].map(isKept)).toEqual([false, true, true]);
    const [small, large] = [keepOf(1), keepOf(1_000)];
    expect([small, large].map(isKept)).toEqual([false, true]);
  });

  test('goes after 15 minutes', () => {
    const ids = [keepOf(1), keepOf(1)];
    now += 15 * MINUTE_MS;
    expect(isKept(String(ids[0]))).toBe(true);
    now += 1;
    expect(isKept(String(ids[1]))).toBe(false);
  });
});

test.each([
  ['is no change in a table', 'MaterialCode,Note\nE,"a\nb\nc"\n', 0],
  ['is a change in JSON', '[{"MaterialCode":"E","Note":"a\\nb\\nc"}]', 1],
])('a shorter line break, as spreadsheets save it, %s', async (_, content, changed) => {
  const row = { MaterialCode: { S: 'E' }, Note: { S: 'a\r\nb\rc' } };
  const rows = new Map((await read(content)).map(({ identifier, ...given }) => [identifier, given]));
  const { changes } = await planChanges('MaterialCodes', new Map([['E', row]]), { rows });
  expect(changes).toHaveLength(changed);
});

test('a renamed row counts once in the size of the list, and a row that an undo brings back counts, too', async () => {
  const text = { S: 'x'.repeat(390_000) };
  const codes = Array.from({ length: 16 }, (_, index) => `R${index}`);
  const full = new Map<string, Item>(codes.map((code) => [code, { MaterialCode: { S: code }, text }]));
  const row = { unit: 'edit', at: 'R0', attributes: {}, cleared: [] } as const;
  const plan = (renamed: ReadonlyMap<string, string>) =>
    planChanges('MaterialCodes', full, { rows: new Map([['S0', row]]), renamed });
  expect((await plan(new Map([['S0', 'R0']]))).changes).toMatchObject([
    { kind: 'renamed', identifier: 'R0' },
  ]);
  full.set('R16', { MaterialCode: { S: 'R16' }, text });
  const isTooLong = /^The list would be too long for the API/;
  await expect(plan(new Map([['S0', 'R0']]))).rejects.toThrow(isTooLong);
  const removed = [...full].slice(16).map(([identifier, before]): RowChange => {
    return { kind: 'removed', identifier, before, after: {} };
  });
  full.delete('R16');
  expect(() => planUndo('MaterialCodes', full, removed)).toThrow(isTooLong);
});
