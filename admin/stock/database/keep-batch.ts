import type { DatabaseSync } from 'node:sqlite';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { type Balance, type BalanceRow, createBalanceRows, FOREVER } from './balance-rows.ts';
import type { Dictionaries } from './open-stock.ts';
import { rowsOf } from './rows.ts';

/** `since` of the rows of the earliest loaded batch. */
const HORIZON = 0;

type Place = { client: number; position: number };

/** The loaded batches around a new one. */
type Neighbours = { isEarliest: boolean; later: number | undefined };

/** Writes the balances of a batch, in any order of batches. Call it in a transaction. */
export const createBatchKeeper = (db: DatabaseSync, { materials, units, orders }: Dictionaries) => {
  const rowsOfClient = createBalanceRows(db);
  const findLoaded = (sign: '<' | '>', order: 'DESC' | 'ASC') =>
    db.prepare(
      `SELECT position FROM batch WHERE client = ? AND state = 'loaded' AND position ${sign} ?
       ORDER BY position ${order} LIMIT 1`,
    );
  const [findEarlier, findLater] = [findLoaded('<', 'DESC'), findLoaded('>', 'ASC')];
  const setLoaded = db.prepare(`UPDATE batch SET state = 'loaded' WHERE client = ? AND position = ?`);

  const neighboursOf = ({ client, position }: Place): Neighbours => {
    const [{ position: later } = {}] = rowsOf<Partial<Place>>(findLater, client, position);
    return { isEarliest: findEarlier.get(client, position) === undefined, later };
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

  return (place: Place, entries: readonly StockBalanceEntry[]) => {
    const { client, position } = place;
    addTexts(entries);
    const rows = rowsOfClient(client);
    const writer = createSpanWriter(rows, position, neighboursOf(place));
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

/** Changes the spans of rows so that this batch has its balances, and its neighbours keep theirs. */
const createSpanWriter = (
  rows: ReturnType<ReturnType<typeof createBalanceRows>>,
  position: number,
  { isEarliest, later }: Neighbours,
) => {
  const isPresent = ({ gone }: BalanceRow) => gone > position;

  /** Ends a row before this batch. What it has in later batches becomes a row of its own. */
  const end = (row: BalanceRow, supersededHere: boolean) => {
    const goesOn = later !== undefined && row.gone > later;
    const superseded = supersededHere ? position : goesOn ? later : row.superseded;
    rows.move(row, { gone: position, superseded });
    if (goesOn) rows.insert({ ...row, since: later });
  };

  /** This batch is the earliest and has another balance or none, so the row now begins with the next batch. */
  const beginLater = (row: BalanceRow) => {
    if (later !== undefined) rows.move(row, { since: later });
  };

  /** Begins a row after all others. */
  const append = (material: number, balance: Balance, before: BalanceRow | undefined) => {
    const since = isEarliest ? HORIZON : position;
    const row = { ...balance, material, since, gone: FOREVER, superseded: FOREVER };
    rows.insert(row, knownValueBefore(balance, before));
  };

  const add = (material: number, balance: Balance, before: BalanceRow | undefined) => {
    if (later === undefined) return append(material, balance, before);
    const since = isEarliest ? HORIZON : position;
    const next = rows.next(material, before?.since ?? position);
    if (next && next.since === later && isSame(next, balance)) rows.move(next, { since });
    else rows.insert({ ...balance, material, since, gone: later, superseded: next?.since ?? FOREVER });
  };

  return {
    /** `known` is what was known of the material before. */
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

/** Null if there is no value before. Undefined if an even earlier row may have it. */
const knownValueBefore = ({ unit, value }: Balance, known: Balance | undefined) => {
  if (!known) return null;
  return known.unit === unit && known.value !== value ? known.value : undefined;
};

const isSame = (one: Balance, other: Balance) =>
  one.value === other.value && one.unit === other.unit && one.orders === other.orders;
