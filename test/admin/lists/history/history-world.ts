import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { RecordedRows } from '../../../../admin/lists/history/history-reader.ts';
import { readListAt } from '../../../../admin/lists/history/read-list-at.ts';
import { timeOfId } from '../../../../admin/lists/history/records.ts';
import type { RowChange } from '../../../../admin/lists/plan/row-change.ts';
import { readList } from '../../../../admin/lists/storage/read-list.ts';
import { openStock } from '../../../../admin/stock/database/open-stock.ts';
import { createHistoryLoader } from '../../../../admin/stock/loading/load-history.ts';
import { type Item, toListRow } from '../../../../shared/storage/attribute-json.ts';
import { type ListName, listNames, tables } from '../../../../shared/tables.ts';
import { MINUTE_MS } from '../../../../shared/time.ts';
import { testClient } from '../../../support/tables.ts';
import { putItems } from '../../tables.ts';
import {
  type Engine,
  impatientClient,
  listDeployment,
  readHistory,
  sessionOf,
  tablesOf,
  writeAs,
} from './history-deployment.ts';
import { type Made, type MadeFault, type Plan, planStep, type Step } from './made-plans.ts';
import { apply, asObject, codesOf, compact, inOrder, isSame, type Rows, takeBack } from './model-rows.ts';

type Recorded = Awaited<ReturnType<typeof readHistory>>[number];

/** Two lists with their history, a stock that reads it from time to time, and what the model knows of them. */
export const createWorld = async (engine: Engine) => {
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const quiet = await listDeployment(() => new Date(clock++));
  const faulty = { ...quiet, dynamodb: impatientClient(engine.endpoint) };
  for (const list of listNames) {
    const { partitionKey } = tables[list];
    const rows = ['A', 'B', 'C'].map((code) => ({ [partitionKey]: { S: code }, X: { S: 'found' } }));
    await putItems(quiet.tables[list], rows);
  }
  const worlds = new Map(listNames.map((list) => [list, createListWorld(list)]));
  const stock = openStock(':memory:');
  const load = createHistoryLoader(stock);
  for (const { look } of worlds.values()) await look();

  function createListWorld(list: ListName) {
    const { partitionKey: key } = tables[list];
    const states: Rows[] = [];
    const made: Made[] = [];
    /** What was written past the tools since the last change. */
    const outside = new Set<string>();
    const known = new Map<string, RecordedRows>();
    /** The list and its history as they are now. */
    let rows: Rows = new Map();
    let records: Recorded[] = [];
    /** Rows that were written past the tools while a change had no end. Nobody knows whether it has written them. */
    const unclear = new Map<string, Set<string>>();

    const look = async () => {
      rows = new Map(await readList({ deployment: quiet }, list));
      records = await readHistory(quiet, list, known);
    };
    const write = ({ origin, changes }: Plan, fault?: MadeFault) => {
      if (fault) inject(fault);
      // A call through the proxy costs twice as much.
      return writeAs(fault ? faulty : quiet, changes, { list, origin }).catch(() => undefined);
    };

    const writtenBy = ({ Id, EndedAt, changes, left }: Recorded) => {
      const known = EndedAt === undefined ? made.find(({ id }) => id === Id) : undefined;
      return changes.filter(({ identifier }) => known?.written.has(identifier) ?? !left.has(identifier));
    };

    /** The list is what the newest base and all later changes say. */
    const checkHistory = () => {
      const told: Rows = new Map();
      const since = records.slice(records.findLastIndex(({ Kind }) => Kind === 'base'));
      for (const change of since.flatMap(writtenBy)) apply(key, told, change);
      const unended = since.filter(({ EndedAt }) => EndedAt === undefined);
      const open = new Set(unended.flatMap(({ Id }) => [...(unclear.get(Id) ?? [])]));
      expect(asObject(rows, open)).toEqual(asObject(told, open));
    };

    /** The stock has the list as it was after each change, and so has a list at the time of one of them. */
    const checkPast = async () => {
      const select = stock.prepare(`SELECT identifier, attributes FROM list_period
        WHERE list = ?1 AND begun <= ?2 AND ended > ?2 ORDER BY identifier`);
      const told: Rows = new Map();
      const first = records.findIndex(({ Kind }) => Kind === 'base');
      for (const [index, record] of records.slice(first).entries()) {
        for (const change of writtenBy(record)) apply(key, told, change);
        const expected = [...told].map(([identifier, item]) => {
          const { [key]: _, ...attributes } = toListRow(key, item);
          return { identifier, attributes: JSON.stringify(attributes) };
        });
        expect(select.all(list, record.Id).map((row) => ({ ...row }))).toEqual(
          expected.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1)),
        );
        if (index === 1)
          expect(asObject(new Map(await readListAt(quiet, list, new Date(timeOfId(record.Id)))))).toEqual(
            asObject(told),
          );
      }
    };

    /** A change that ended, or was ended, has left exactly the rows that it has not written. */
    const checkEnds = () => {
      for (const { Id, EndedAt, changes, left } of records) {
        if (clock - Date.parse(Id.slice(0, 24)) > 16 * MINUTE_MS) expect(EndedAt, Id).toBeDefined();
        const known = made.find(({ id }) => id === Id);
        if (!known || EndedAt === undefined) continue;
        const codes = changes.map(({ identifier }) => identifier);
        const sure = codes.filter((code) => !unclear.get(Id)?.has(code));
        expect(sure.filter((code) => !left.has(code))).toEqual(
          sure.filter((code) => known.written.has(code)),
        );
      }
    };

    /** Each row is as before, or as the change leaves it. Returns the rows that the change has written. */
    const checkRows = (stored: Rows, changes: readonly RowChange[]) => {
      const planned = new Set(changes.flatMap((change) => codesOf(key, change)));
      expect(asObject(rows, planned)).toEqual(asObject(stored, planned));
      const written = changes.filter((change) => {
        const expected = new Map(stored);
        apply(key, expected, compact(key, change));
        const isAs = (state: Rows) =>
          codesOf(key, change).every((code) => isSame(rows.get(code), state.get(code)));
        expect(isAs(expected) || isAs(stored), `${change.kind} ${change.identifier}`).toBe(true);
        return isAs(expected);
      });
      return new Set(written.map(({ identifier }) => identifier));
    };

    /** The records that are new. One from outside has only rows that were written past the tools since the last change. */
    const newChanges = (before: readonly Recorded[]) => {
      const ids = new Set(before.map(({ Id }) => Id));
      const fresh = records.filter(({ Id, Kind }) => !ids.has(Id) && Kind !== 'base');
      const mayDiffer = new Set([...outside, ...[...unclear.values()].flatMap((codes) => [...codes])]);
      const seen = fresh.filter(({ Kind }) => Kind === 'outside').flatMap(({ changes }) => changes);
      expect(seen.map(({ identifier }) => identifier).filter((code) => !mayDiffer.has(code))).toEqual([]);
      if (fresh.length > 0) outside.clear();
      return fresh.filter(({ Kind }) => Kind !== 'outside');
    };

    const planOf = (step: Step, stored: Rows) => planStep(step, { deployment: quiet, stored, states, made });

    const runAlone = async (step: Step, stored: Rows) => {
      const before = records;
      const plan = await planOf(step, stored);
      const result = await write(plan, step.fault);
      await look();
      const written = checkRows(stored, plan.changes);
      const [own] = newChanges(before);
      if (!own) return expect(written).toEqual(new Set());
      const changes = plan.changes.map((change) => compact(key, change));
      expect(inOrder(own.changes)).toEqual(inOrder(changes));
      made.push({ id: own.Id, list, changes, written });
      checkHistory();
      if (!result) return;
      expect([result.conflicts, written.size]).toEqual([[], changes.length]);
      checkEnds();
      if (plan.undone) checkUndo(plan.undone, stored);
    };

    const checkUndo = ({ id, changes, written }: Made, stored: Rows) => {
      if (unclear.has(id)) return;
      const expected = new Map(stored);
      for (const change of changes) if (written.has(change.identifier)) takeBack(key, expected, change);
      expect(asObject(rows)).toEqual(asObject(expected));
    };

    /** Two people write at once what both have planned on the same list. */
    const runTogether = async (step: Step, stored: Rows) => {
      const before = records;
      const plans = await Promise.all([
        planOf(step, stored),
        planOf({ ...step, act: 'import', value: step.value + 1 }, stored),
      ]);
      const results = await Promise.all(plans.map((plan) => write(plan)));
      expect(results).not.toContain(undefined);
      const planned = new Set(plans.flatMap(({ changes }) => changes.map(({ identifier }) => identifier)));
      await look();
      expect(asObject(rows, planned)).toEqual(asObject(stored, planned));
      for (const { Id, changes, left } of newChanges(before)) {
        const codes = changes.map(({ identifier }) => identifier).filter((code) => !left.has(code));
        made.push({ id: Id, list, changes, written: new Set(codes) });
      }
      checkHistory();
    };

    /** A write past the tools. */
    const runOutside = async ({ codes, attribute, value }: Step, stored: Rows) => {
      const table = quiet.tables[list];
      for (const code of codes) {
        outside.add(code);
        const Key = { [key]: { S: code } };
        const item: Item = { ...stored.get(code), ...Key, [attribute]: { S: `outside ${clock}` } };
        if (value === 1) await testClient().send(new DeleteItemCommand({ TableName: table, Key }));
        else await putItems(table, [item]);
      }
      await look();
      const open = records.filter(({ EndedAt }) => EndedAt === undefined);
      for (const { Id, changes } of open) {
        const touched = changes
          .map((change) => codesOf(key, change))
          .filter((ids) => ids.some((id) => codes.includes(id)));
        unclear.set(Id, new Set([...(unclear.get(Id) ?? []), ...touched.flat()]));
      }
    };

    return {
      look,
      run: async (step: Step) => {
        const stored = rows;
        if (step.act === 'outside') return runOutside(step, stored);
        states.push(stored);
        return step.act === 'together' ? runTogether(step, stored) : runAlone(step, stored);
      },
      checkAll: async () => {
        checkEnds();
        unclear.clear();
        checkHistory();
        await checkPast();
      },
    };
  }

  const inject = ({ at, kind }: MadeFault) =>
    engine.decide((_, number) => {
      if (number < at || (number > at && kind !== 'kill')) return 'through';
      return kind === 'kill' ? 'deny' : kind;
    });

  const run = async (step: Step) => {
    clock += step.minutes * MINUTE_MS;
    await worlds.get(step.list)?.run(step);
    if (step.loads) await load(sessionOf(quiet));
  };

  return {
    run,
    /** The next write ends all others. Then the history says each row, and a new stock has the same as the old one. */
    finish: async () => {
      clock += 16 * MINUTE_MS;
      for (const list of listNames) {
        const row = { codes: ['A'], attribute: 'X', value: 7 } as const;
        await run({ act: 'import', list, ...row, pick: 0, minutes: 0, fault: undefined, loads: false });
      }
      await load(sessionOf(quiet));
      const newStock = openStock(':memory:');
      await createHistoryLoader(newStock)(sessionOf(quiet));
      expect(tablesOf(stock)).toEqual(tablesOf(newStock));
      for (const { checkAll } of worlds.values()) await checkAll();
    },
  };
};
