import type { DatabaseSync } from 'node:sqlite';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { type Balance, type BalanceRow, createBalanceRows, FOREVER } from './balance-rows.ts';
import type { BatchKey } from './batch-index.ts';
import type { Dictionaries } from './open-stock.ts';
import { rowsOf } from './rows.ts';

/** `since` of the rows of the earliest loaded batch. */
const HORIZON = 0;

/** `nextPosition` is the position of the next loaded batch. */
type Neighbours = { isEarliest: boolean; nextPosition: number | undefined };

/** Writes the balances of batches, one batch a call, in any order. Call it in a transaction. */
export const createBatchKeeper = (db: DatabaseSync, { materials, units, orders }: Dictionaries) => {
  const rowsOfClient = createBalanceRows(db);
  const findLoaded = (sign: '<' | '>', order: 'DESC' | 'ASC') =>
    db.prepare(
      `SELECT position FROM batch WHERE client = ? AND state = 'loaded' AND position ${sign} ?
       ORDER BY position ${order} LIMIT 1`,
    );
  const [findEarlier, findLater] = [findLoaded('<', 'DESC'), findLoaded('>', 'ASC')];
  const setLoaded = db.prepare(`UPDATE batch SET state = 'loaded' WHERE client = ? AND position = ?`);

  const neighboursOf = ({ client, position }: BatchKey): Neighbours => {
    const [{ position: nextPosition } = {}] = rowsOf<Partial<BatchKey>>(findLater, client, position);
    return { isEarliest: findEarlier.get(client, position) === undefined, nextPosition };
  };

  const addTexts = (entries: readonly StockBalanceEntry[]) => {
    materials.addAll(entries.map(({ MaterialCode }) => MaterialCode));
    units.addAll(entries.map(({ StockBalanceUnit }) => StockBalanceUnit));
    orders.addAll(entries.map(({ PurchaseOrders }) => PurchaseOrders.join(' ')));
  };

  const toBalance = (entry: StockBalanceEntry): Balance => ({
    value: entry.StockBalance,
    unit: units.idOf(entry.StockBalanceUnit),
    orders: orders.idOf(entry.PurchaseOrders.join(' ')),
  });

  return (batch: BatchKey, entries: readonly StockBalanceEntry[]) => {
    const { client, position } = batch;
    addTexts(entries);
    const rows = rowsOfClient(client);
    const writer = createSpanWriter(rows, position, neighboursOf(batch));
    const known = new Map(rows.knownAt(position).map((row) => [row.material, row]));
    for (const entry of entries) {
      const material = materials.idOf(entry.MaterialCode);
      writer.putBalance(material, toBalance(entry), known.get(material));
      known.delete(material);
    }
    for (const row of known.values()) writer.leaveOut(row);
    rows.finish();
    setLoaded.run(client, position);
  };
};

/** Changes the times of rows so that this batch has its balances, and its neighbours keep theirs. */
const createSpanWriter = (
  rows: ReturnType<ReturnType<typeof createBalanceRows>>,
  position: number,
  { isEarliest, nextPosition }: Neighbours,
) => {
  const isPresent = ({ gone }: BalanceRow) => gone > position;

  /** Ends a row before this batch. If later batches have the same balance, a second row begins with the next batch. */
  const end = (row: BalanceRow, isSuperseded: boolean) => {
    const isInNext = nextPosition !== undefined && row.gone > nextPosition;
    const superseded = isSuperseded ? position : isInNext ? nextPosition : row.superseded;
    rows.move(row, { gone: position, superseded });
    if (isInNext) rows.insert({ ...row, since: nextPosition });
  };

  /** The earliest batch does not have this row, so the row begins with the next batch. */
  const beginLater = (row: BalanceRow) => {
    if (nextPosition !== undefined) rows.move(row, { since: nextPosition });
  };

  /** Writes the last row of a material. */
  const append = (material: number, balance: Balance, known: BalanceRow | undefined) => {
    const since = isEarliest ? HORIZON : position;
    const row = { ...balance, material, since, gone: FOREVER, superseded: FOREVER };
    rows.insert(row, knownValueBefore(balance, known));
  };

  const add = (material: number, balance: Balance, known: BalanceRow | undefined) => {
    if (nextPosition === undefined) return append(material, balance, known);
    const since = isEarliest ? HORIZON : position;
    const nextRow = rows.next(material, known?.since ?? position);
    if (nextRow && nextRow.since === nextPosition && isSame(nextRow, balance)) rows.move(nextRow, { since });
    else
      rows.insert({ ...balance, material, since, gone: nextPosition, superseded: nextRow?.since ?? FOREVER });
  };

  return {
    /** `known` is the last known row of the material. */
    putBalance: (material: number, balance: Balance, known: BalanceRow | undefined) => {
      if (known && isPresent(known)) {
        if (isSame(known, balance)) return;
        if (isEarliest) beginLater(known);
        else end(known, true);
      } else if (known) {
        rows.move(known, { superseded: position });
      }
      add(material, balance, known);
    },

    leaveOut: (row: BalanceRow) => {
      if (!isPresent(row)) return;
      if (isEarliest) beginLater(row);
      else end(row, false);
    },
  };
};

/** Null if there is no earlier value. Undefined if a row before `known` may have the value. */
const knownValueBefore = ({ unit, value }: Balance, known: Balance | undefined) => {
  if (!known) return null;
  return known.unit === unit && known.value !== value ? known.value : undefined;
};

const isSame = (first: Balance, second: Balance) =>
  first.value === second.value && first.unit === second.unit && first.orders === second.orders;
