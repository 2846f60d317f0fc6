import type { DatabaseSync } from 'node:sqlite';
import { add, type Decimal, formatDecimal, toDecimal, ZERO } from './decimal.ts';
import { rowsOf } from './rows.ts';

/** A time after every batch. SQLite keeps it in 6 bytes. */
export const FOREVER = 2 ** 47 - 1;

/** `unit` and `orders` are ids of rows in the tables of these names. */
export type Balance = { value: number; unit: number; orders: number };
/** A balance of one client. schema.sql says what its times mean. */
export type BalanceRow = Balance & { material: number; begun: number; ended: number; superseded: number };

const COLUMNS = 'material, begun, ended, superseded, value, unit, orders';

/** The last earlier value that differs, of the same warehouse, material and unit. */
export const valueBefore = (row: string) => `(
  SELECT earlier.value FROM balance AS earlier INDEXED BY balance_of_material
  WHERE earlier.client = ${row}.client AND earlier.material = ${row}.material AND earlier.begun < ${row}.begun
  AND earlier.unit = ${row}.unit AND earlier.value <> ${row}.value
  ORDER BY earlier.begun DESC LIMIT 1
)`;

/** A column of the first row of the material and unit after `:begun`. */
const ofNextRowInUnit = (column: string, condition = 'TRUE') => `(
  SELECT ${column} FROM balance INDEXED BY balance_of_material
  WHERE client = :client AND material = :material AND begun > :begun AND unit = :unit AND ${condition}
  ORDER BY begun LIMIT 1
)`;
/** From here on, rows are not affected by the row at `:begun`: there is a later row with another value before them. */
const FIRST_UNAFFECTED = ofNextRowInUnit('begun', `value <> ${ofNextRowInUnit('value')}`);

/** Reads and writes balances of a client, and the totals and earlier values that depend on them. Call `finish` in the same transaction. */
export const createBalanceRows = (db: DatabaseSync) => {
  const findKnownAt = db.prepare(
    `SELECT ${COLUMNS} FROM balance WHERE client = ?1 AND superseded > ?2 AND begun <= ?2`,
  );
  const findNext = db.prepare(
    `SELECT ${COLUMNS} FROM balance INDEXED BY balance_of_material
     WHERE client = ? AND material = ? AND begun > ? ORDER BY begun LIMIT 1`,
  );
  const insertRow = db.prepare(
    `INSERT INTO balance (client, material, begun, ended, superseded, value, mantissa, exponent, unit, orders, before)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateTimes = db.prepare(
    `UPDATE balance SET begun = ?, ended = ?, superseded = ?
     WHERE client = ? AND superseded = ? AND material = ? AND begun = ?`,
  );
  const deleteUntil = db.prepare(`DELETE FROM balance WHERE client = ? AND ended <= ? RETURNING ${COLUMNS}`);
  const setBefore = db.prepare(
    `UPDATE balance INDEXED BY balance_of_material SET before = ${valueBefore('balance')}
     WHERE client = :client AND material = :material AND unit = :unit
     AND begun >= :begun AND begun < ifnull(${FIRST_UNAFFECTED}, ${FOREVER})`,
  );

  return (client: number) => {
    const totals = createTotals(db);
    const affected: Pick<BalanceRow, 'material' | 'unit' | 'begun'>[] = [];
    return {
      /** The last known balance of each material at a batch. */
      knownAt: (instant: number) => rowsOf<BalanceRow>(findKnownAt, client, instant),

      /** The next row of a material. */
      next: (material: number, begun: number) => rowsOf<BalanceRow>(findNext, client, material, begun)[0],

      /** `before` is the last earlier value that differs, or null if there is none. If `before` is left out, `finish` finds it. */
      insert: (row: BalanceRow, before?: number | null) => {
        const { material, begun, ended, superseded, value, unit, orders } = row;
        const { mantissa, exponent } = toDecimal(value);
        const times = [begun, ended, superseded];
        insertRow.run(client, material, ...times, value, mantissa, exponent, unit, orders, before ?? null);
        totals.add(row);
        if (before === undefined) affected.push(row);
      },

      /** Changes the times of a row. The order of rows must stay, because `finish` does not find their earlier values again. */
      move: (row: BalanceRow, to: Partial<BalanceRow>) => {
        const { begun, ended, superseded } = { ...row, ...to };
        updateTimes.run(begun, ended, superseded, client, row.superseded, row.material, row.begun);
        if (superseded !== row.superseded) {
          totals.subtract(row);
          totals.add({ ...row, superseded });
        }
      },

      /** Removes the rows that end at this instant or before it. */
      removeUntil: (instant: number) => {
        for (const row of rowsOf<BalanceRow>(deleteUntil, client, instant)) {
          totals.subtract(row);
          affected.push(row);
        }
      },

      /** Writes the totals, and the earlier values that depend on an inserted or removed row. */
      finish: () => {
        totals.write();
        for (const { material, unit, begun } of affected) setBefore.run({ client, material, unit, begun });
      },
    };
  };
};

/** Collects what is to be added to the table `total`. */
const createTotals = (db: DatabaseSync) => {
  const write = db.prepare(`
    INSERT INTO total VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET warehouses = warehouses + excluded.warehouses, digits = exact_add(digits, excluded.digits)`);
  const toAdd = new Map<number, Map<number, { warehouses: number; sum: Decimal }>>();

  const count = ({ superseded, material, unit, value }: BalanceRow, sign: 1 | -1) => {
    const byUnit = toAdd.get(material) ?? new Map();
    const { warehouses, sum } = byUnit.get(unit) ?? { warehouses: 0, sum: ZERO };
    // A superseded balance adds nothing, but its unit stays known.
    const addend = superseded === FOREVER ? sign : 0;
    byUnit.set(unit, { warehouses: warehouses + addend, sum: add(sum, toDecimal(addend * value)) });
    toAdd.set(material, byUnit);
  };

  return {
    add: (row: BalanceRow) => count(row, 1),
    subtract: (row: BalanceRow) => count(row, -1),
    write: () => {
      for (const [material, byUnit] of toAdd)
        for (const [unit, { warehouses, sum }] of byUnit)
          write.run(material, unit, warehouses, formatDecimal(sum));
    },
  };
};
