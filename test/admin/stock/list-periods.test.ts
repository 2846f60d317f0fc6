import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
import { MINUTE_MS } from '../../../shared/time.ts';
import { createTable, testClient } from '../../support/tables.ts';
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
type RowStep<TDo> = { do: TDo; code: string; attributes: Item | undefined };
type Step =
  | RowStep<'write'>
  | RowStep<'outside'>
  | { do: 'rename'; code: string; to: string }
  | { do: 'undo'; back: number }
  | { do: 'load' };
const rowStep = <const TDo>(what: TDo) =>
  fc.record({
    do: fc.constant(what),
    code: aCode,
    attributes: fc.option(someAttributes, { nil: undefined }),
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  rowStep('write'),
  rowStep('outside'),
  fc.record({ do: fc.constant('rename'), code: aCode, to: aCode }),
  fc.record({ do: fc.constant('undo'), back: fc.integer({ min: 0, max: 3 }) }),
  fc.constant({ do: 'load' }),
);

const openWorld = async () => {
  let now = Date.UTC(2026, 0, 1);
  const unused = {
    PurchaseOrders: await createTable('PurchaseOrders'),
    ChangeTimestamps: '',
    BalanceSnapshots: '',
    Clients: '',
  };
  const deployment = {
    dynamodb: testClient(),
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
  const putOutside = ({ code, attributes }: Do<'outside'>) =>
    attributes
      ? putItems(deployment.tables[LIST], [keyed(code, attributes)])
      : deleteItem(deployment.tables[LIST], { MaterialCode: { S: code } });
  const run = async (made: Exclude<Step, { do: 'load' }>) => {
    now += MINUTE_MS;
    const stored = await readList({ deployment }, LIST);
    if (made.do === 'rename') return rename(made, stored);
    if (made.do === 'undo') return undo(made, stored);
    if (made.do === 'outside') return putOutside(made);
    return write(planRow(stored, made.code, made.attributes), { kind: 'edit' });
  };
  return { deployment, session, run };
};

const tablesOf = (db: DatabaseSync) =>
  ['list_change', 'list_line', 'list_period'].map((table) =>
    rowsOf<object>(db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)),
  );

test('a stock that reads the history piece by piece has what a new one has, and each list is that of the history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { deployment, session, run } = await openWorld();
      const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
      const load = createHistoryLoader(db);
      for (const made of steps) await (made.do === 'load' ? load(session()) : run(made));
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
    { numRuns: 15 },
  );
});
