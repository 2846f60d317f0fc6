import type { DatabaseSync } from 'node:sqlite';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { type Balance, type BalanceRow, createBalanceRows, FOREVER } from './balance-rows.ts';
import type { BatchKey } from './batch-index.ts';
import type { Dictionaries } from './open-stock.ts';
import { rowsOf } from './rows.ts';

/** `begun` of the rows of the earliest loaded batch. */
const HORIZON = 0;

/** `nextInstant` is the instant of the next loaded batch. */
type Neighbours = { isEarliest: number; nextInstant: number | null };

/** Writes the balances of batches, one batch a call, in any order. Call it in a transaction. */
export const createBatchKeeper = (db: DatabaseSync, { materials, units, orders }: Dictionaries) => {
  const rowsOfClient = createBalanceRows(db);
  const findNeighbours = db.prepare(`
    WITH loaded AS (SELECT instant FROM batch WHERE client = ?1 AND state = 'loaded')
    SELECT NOT EXISTS (SELECT 1 FROM loaded WHERE instant < ?2) AS isEarliest,
      (SELECT min(instant) FROM loaded WHERE instant > ?2) AS nextInstant`);
  const setLoaded = db.prepare(`UPDATE batch SET state = 'loaded' WHERE client = ? AND instant = ?`);

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

  return ({ client, instant }: BatchKey, entries: readonly StockBalanceEntry[]) => {
    addTexts(entries);
    const rows = rowsOfClient(client);
    const [neighbours = { isEarliest: 1, nextInstant: null }] = rowsOf<Neighbours>(
      findNeighbours,
      client,
      instant,
    );
    const writer = createSpanWriter(rows, instant, neighbours);
    const known = new Map(rows.knownAt(instant).map((row) => [row.material, row]));
    for (const entry of entries) {
      const material = materials.idOf(entry.MaterialCode);
      writer.putBalance(material, toBalance(entry), known.get(material));
      known.delete(material);
    }
    for (const row of known.values()) writer.leaveOut(row);
    rows.finish();
    setLoaded.run(client, instant);
  };
};

/** Changes the times of rows so that this batch has its balances, and its neighbours keep theirs. */
const createSpanWriter = (
  rows: ReturnType<ReturnType<typeof createBalanceRows>>,
  instant: number,
  { isEarliest, nextInstant }: Neighbours,
) => {
  const isPresent = ({ ended }: BalanceRow) => ended > instant;

  /** Ends a row before this batch. If later batches have the same balance, a second row begins with the next batch. */
  const end = (row: BalanceRow, isSuperseded: boolean) => {
    const isInNext = nextInstant !== null && row.ended > nextInstant;
    const superseded = isSuperseded ? instant : isInNext ? nextInstant : row.superseded;
    rows.move(row, { ended: instant, superseded });
    if (isInNext) rows.insert({ ...row, begun: nextInstant });
  };

  /** The earliest batch does not have this row, so the row begins with the next batch. */
  const beginLater = (row: BalanceRow) => {
    if (nextInstant !== null) rows.move(row, { begun: nextInstant });
  };

  /** Writes the last row of a material. */
  const append = (material: number, balance: Balance, known: BalanceRow | undefined) => {
    const begun = isEarliest ? HORIZON : instant;
    const row = { ...balance, material, begun, ended: FOREVER, superseded: FOREVER };
    rows.insert(row, knownValueBefore(balance, known));
  };

  const add = (material: number, balance: Balance, known: BalanceRow | undefined) => {
    if (nextInstant === null) return append(material, balance, known);
    const begun = isEarliest ? HORIZON : instant;
    const nextRow = rows.next(material, known?.begun ?? instant);
    if (nextRow && nextRow.begun === nextInstant && isSame(nextRow, balance)) rows.move(nextRow, { begun });
    else
      rows.insert({ ...balance, material, begun, ended: nextInstant, superseded: nextRow?.begun ?? FOREVER });
  };

  return {
    /** `known` is the last known row of the material. */
    putBalance: (material: number, balance: Balance, known: BalanceRow | undefined) => {
      if (known && isPresent(known)) {
        if (isSame(known, balance)) return;
        if (isEarliest) beginLater(known);
        else end(known, true);
      } else if (known) {
        rows.move(known, { superseded: instant });
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
