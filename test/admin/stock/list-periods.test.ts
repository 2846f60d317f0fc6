import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { findChange } from '../../../admin/lists/history/find-change.ts';
import { historyReader } from '../../../admin/lists/history/history-reader.ts';
import { planUndo } from '../../../admin/lists/history/plan-undo.ts';
import { readListAt } from '../../../admin/lists/history/read-list-at.ts';
import { timeOfId } from '../../../admin/lists/history/records.ts';
import { writeChanges } from '../../../admin/lists/history/write-changes.ts';
import type { ChangeOrigin, RowChange } from '../../../admin/lists/plan/row-change.ts';
import { readList } from '../../../admin/lists/storage/read-list.ts';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { createHistoryLoader } from '../../../admin/stock/loading/load-history.ts';
import { toListRow } from '../../../shared/storage/attribute-json.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { createTable, startFaultyEngine, testClient } from '../../support/tables.ts';
import { deleteItem, type Item, putItems } from '../tables.ts';

const LIST = 'MaterialCodes';
const keyed = (identifier: string, attributes: Item): Item => ({
  ...attributes,
  MaterialCode: { S: identifier },
});

const CODES = ['A', 'B', '"C'];
const aCode = fc.constantFrom(...CODES);
const someAttributes = fc.dictionary(
  fc.constantFrom('Name', 'we"ird.x', 'Weight'),
  fc.constantFrom<Item[string]>(
    { S: 'one' },
    { N: '12345678901234567890.5' },
    { NULL: true },
    { SS: ['x', 'y'] },
  ),
  { noNullPrototype: true },
);
type MadeRow = { code: string; attributes: Item | undefined };
type Step =
  /** Somebody else changes a row of `conflict` after the plan. From the call `dies` on, nothing comes through. */
  | { do: 'write'; rows: MadeRow[]; conflict: string | undefined; dies: number | undefined }
  | { do: 'outside'; row: MadeRow }
  | { do: 'rename'; code: string; to: string }
  | { do: 'undo'; back: number }
  | { do: 'load' };
const row = fc.record({ code: aCode, attributes: fc.option(someAttributes, { nil: undefined }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('write'),
    rows: fc.uniqueArray(row, { minLength: 1, selector: ({ code }) => code }),
    conflict: fc.option(aCode, { nil: undefined }),
    dies: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('outside'), row }),
  fc.record({ do: fc.constant('rename'), code: aCode, to: aCode }),
  fc.record({ do: fc.constant('undo'), back: fc.integer({ min: 0, max: 3 }) }),
  fc.constant({ do: 'load' }),
);

const engine = await startFaultyEngine();
afterAll(() => engine.stop());
const isWrite = (operation: string) => !['Scan', 'Query', 'GetItem'].includes(operation);

const openWorld = async (minutesApart = 20) => {
  let now = Date.UTC(2026, 0, 1);
  const unused = {
    PurchaseOrders: await createTable('PurchaseOrders'),
    ChangeTimestamps: '',
    BalanceSnapshots: '',
    Clients: '',
  };
  const deployment = {
    dynamodb: testClient(engine.endpoint),
    name: 'the stack',
    tables: { MaterialCodes: await createTable(LIST), ...unused },
    records: { table: await createTable('AdminRecords'), retentionDays: 400 },
    now: () => new Date(now),
    caller: async () => 'anna',
    baseUrl: '',
    plans: [],
    key: '',
  };
  const session = () => ({ deployment, where: { data: '', stack: '' }, now: deployment.now() });
  const write = (changes: RowChange[], origin: ChangeOrigin) =>
    writeChanges(LIST, changes, { deployment, origin, signal: new AbortController().signal, advice: '' });
  const planRow = (
    stored: ReadonlyMap<string, Item>,
    code: string,
    attributes: Item | undefined,
  ): RowChange[] => {
    const before = stored.get(code);
    if (!attributes) return before ? [{ kind: 'removed', identifier: code, before, after: {} }] : [];
    const after = keyed(code, attributes);
    return [{ kind: before ? 'changed' : 'added', identifier: code, before: before ?? {}, after }];
  };
  type Do<TDo> = Extract<Step, { do: TDo }>;
  const rename = async ({ code, to }: Do<'rename'>, stored: ReadonlyMap<string, Item>) => {
    const before = stored.get(code);
    if (!before || stored.has(to)) return;
    const after = { ...before, ...keyed(to, {}) };
    await write([{ kind: 'renamed', identifier: code, before, after }], { kind: 'edit' });
  };
  const undo = async ({ back }: Do<'undo'>, stored: ReadonlyMap<string, Item>) => {
    const heads = await Array.fromAsync(historyReader(deployment).heads(LIST));
    const undone = heads.filter(({ Kind }) => Kind !== 'base').at(-1 - back);
    if (!undone) return;
    const { changes } = await findChange(deployment, LIST, undone.Id, stored);
    await write(planUndo(LIST, stored, changes).changes, { kind: 'undo', undoes: undone.Id });
  };
  const putOutside = ({ code, attributes }: MadeRow) =>
    attributes
      ? putItems(deployment.tables[LIST], [keyed(code, attributes)])
      : deleteItem(deployment.tables[LIST], { MaterialCode: { S: code } });
  const edit = async ({ rows, conflict, dies = 99 }: Do<'write'>, stored: ReadonlyMap<string, Item>) => {
    if (conflict !== undefined) await putOutside({ code: conflict, attributes: { Name: { S: 'conflict' } } });
    let writes = 0;
    engine.decide((operation) => {
      if (isWrite(operation)) writes += 1;
      return writes >= dies ? 'deny' : 'through';
    });
    const changes = rows.flatMap(({ code, attributes }) => planRow(stored, code, attributes));
    await write(changes, { kind: 'edit' }).catch(() => {});
    engine.decide(() => 'through');
  };
  const run = async (made: Exclude<Step, { do: 'load' }>) => {
    // A change of a writer that died may be ended by the next one.
    now += minutesApart * MINUTE_MS;
    const stored = await readList({ deployment }, LIST);
    if (made.do === 'rename') return rename(made, stored);
    if (made.do === 'undo') return undo(made, stored);
    if (made.do === 'outside') return putOutside(made.row);
    return edit(made, stored);
  };
  const waitDays = (days: number) => {
    now += days * DAY_MS;
  };
  return { deployment, session, run, waitDays };
};

const writeOf = (code: string): Extract<Step, { do: 'write' }> => ({
  ...{ do: 'write', conflict: undefined, dies: undefined },
  rows: [{ code, attributes: {} }],
});

const tablesOf = (db: DatabaseSync) =>
  ['list_change', 'list_line', 'list_period'].map((table) =>
    rowsOf<object>(db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)),
  );

test('a stock that reads the history piece by piece has what a new one has, and each list is that of the history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { deployment, session, run } = await openWorld();
      const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
      const load = createHistoryLoader(db);
      for (const made of steps) await (made.do === 'load' ? load(session()) : run(made));
      await run(writeOf('last'));
      await load(session());
      await createHistoryLoader(newDb)(session());
      expect(tablesOf(db)).toEqual(tablesOf(newDb));
      for await (const { Id } of historyReader(deployment).heads(LIST)) {
        const rows = rowsOf<{ identifier: string; attributes: string }>(
          db.prepare(
            'SELECT identifier, attributes FROM list_period WHERE list = ?1 AND begun <= ?2 AND ended > ?2',
          ),
          LIST,
          Id,
        );
        const list = await readListAt(deployment, LIST, new Date(timeOfId(Id)));
        const expected = [...list].map(([identifier, item]) => {
          const { MaterialCode: _, ...attributes } = toListRow('MaterialCode', item);
          return { identifier, attributes: JSON.stringify(attributes) };
        });
        const byName = (one: { identifier: string }, other: { identifier: string }) =>
          one.identifier < other.identifier ? -1 : 1;
        expect(rows.map((row) => ({ ...row })).toSorted(byName)).toEqual(expected.toSorted(byName));
      }
    }),
    { numRuns: 10 },
  );
});

test('what has expired is forgotten, and without the whole list no list of the past is known', async () => {
  const { session, run, waitDays } = await openWorld();
  const db = openStock(':memory:');
  const load = createHistoryLoader(db);
  const counts = () => tablesOf(db).map(({ length }) => length);
  const isAsNew = async () => {
    await load(session());
    const newDb = openStock(':memory:');
    await createHistoryLoader(newDb)(session());
    expect(tablesOf(db)).toEqual(tablesOf(newDb));
  };
  await run(writeOf('A'));
  waitDays(150);
  await run(writeOf('B'));
  await isAsNew();
  expect(counts()).toEqual([3, 2, 2]);
  waitDays(251);
  await isAsNew();
  expect(counts()).toEqual([1, 1, 0]);
  await run(writeOf('C'));
  await isAsNew();
  expect(counts()).toEqual([3, 2, 3]);
});

test('the history of a replaced table is read anew', async () => {
  const [before, after] = [await openWorld(), await openWorld()];
  const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
  await before.run(writeOf('A'));
  await after.run(writeOf('B'));
  await createHistoryLoader(db)(before.session());
  await createHistoryLoader(db)(after.session());
  await createHistoryLoader(newDb)(after.session());
  expect(tablesOf(db)).toEqual(tablesOf(newDb));
});

test('a change without an end at one read has its end, and what was left, at the next', async () => {
  const { session, run } = await openWorld(5);
  const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
  const load = createHistoryLoader(db);
  await run(writeOf('A'));
  // The part and the head come through, and the row does not.
  await run({ ...writeOf('B'), dies: 3 });
  await run(writeOf('C'));
  await load(session());
  const endOf = () =>
    rowsOf<{ ended: string | null }>(db.prepare(`SELECT ended FROM list_change WHERE kind = 'edit'`)).map(
      ({ ended }) => ended !== null,
    );
  expect(endOf()).toEqual([true, false, true]);
  for (const code of ['D', 'E', 'F']) await run(writeOf(code));
  await load(session());
  expect(endOf()).not.toContain(false);
  await createHistoryLoader(newDb)(session());
  expect(tablesOf(db)).toEqual(tablesOf(newDb));
});
