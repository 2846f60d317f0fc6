import type { DatabaseSync } from 'node:sqlite';
import { add, type Decimal, formatDecimal, toDecimal, ZERO } from './decimal.ts';
import { rowsOf } from './rows.ts';

/** Later than every batch. SQLite keeps it in 6 bytes. */
export const FOREVER = 2 ** 47 - 1;

export type Balance = { value: number; unit: number; orders: number };
/** A balance of one client. The schema says what its times mean. */
export type BalanceRow = Balance & { material: number; since: number; gone: number; superseded: number };

const COLUMNS = 'material, since, gone, superseded, value, unit, orders';

/** The last earlier value in the same unit that differs, of the same material in the same warehouse. */
export const valueBefore = (row: string) => `(
  SELECT earlier.value FROM balance AS earlier INDEXED BY balance_of_material
  WHERE earlier.client = ${row}.client AND earlier.material = ${row}.material AND earlier.since < ${row}.since
  AND earlier.unit = ${row}.unit AND earlier.value <> ${row}.value
  ORDER BY earlier.since DESC LIMIT 1
)`;

/** A column of the first row in the unit after `:since`. */
const laterRows = (column: string, condition = 'TRUE') => `(
  SELECT ${column} FROM balance INDEXED BY balance_of_material
  WHERE client = :client AND material = :material AND since > :since AND unit = :unit AND ${condition}
  ORDER BY since LIMIT 1
)`;
/** From this row on, `before` comes from a row after `:since`, so a change at `:since` does not affect it. */
const FIRST_UNCHANGED = laterRows('since', `value <> ${laterRows('value')}`);

/** Reads and writes balances of a client, and the totals and earlier values that depend on them. Call `finish` in the same transaction. */
export const createBalanceRows = (db: DatabaseSync) => {
  const findKnownAt = db.prepare(
    `SELECT ${COLUMNS} FROM balance WHERE client = ?1 AND superseded > ?2 AND since <= ?2`,
  );
  const findNext = db.prepare(
    `SELECT ${COLUMNS} FROM balance INDEXED BY balance_of_material
     WHERE client = ? AND material = ? AND since > ? ORDER BY since LIMIT 1`,
  );
  const insert = db.prepare(
    `INSERT INTO balance (client, material, since, gone, superseded, value, mantissa, exponent, unit, orders, before)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare(
    `UPDATE balance SET since = ?, gone = ?, superseded = ?
     WHERE client = ? AND superseded = ? AND material = ? AND since = ?`,
  );
  const remove = db.prepare(`DELETE FROM balance WHERE client = ? AND gone <= ? RETURNING ${COLUMNS}`);
  const setBefore = db.prepare(
    `UPDATE balance INDEXED BY balance_of_material SET before = ${valueBefore('balance')}
     WHERE client = :client AND material = :material AND unit = :unit
     AND since >= :since AND since < ifnull(${FIRST_UNCHANGED}, ${FOREVER})`,
  );

  return (client: number) => {
    const totals = createTotals(db);
    const changed: Pick<BalanceRow, 'material' | 'unit' | 'since'>[] = [];
    return {
      /** What is known of each material when a batch comes. */
      knownAt: (position: number) => rowsOf<BalanceRow>(findKnownAt, client, position),

      /** The first row of a material that begins later. */
      next: (material: number, since: number) => rowsOf<BalanceRow>(findNext, client, material, since)[0],

      /** `before` is the last earlier value, if that is known. */
      insert: (row: BalanceRow, before?: number | null) => {
        const { material, since, gone, superseded, value, unit, orders } = row;
        const { mantissa, exponent } = toDecimal(value);
        const times = [since, gone, superseded];
        insert.run(client, material, ...times, value, mantissa, exponent, unit, orders, before ?? null);
        totals.add(row);
        if (before === undefined) changed.push(row);
      },

      /** Rows stay in their order, so that their earlier values stay the same. */
      move: (row: BalanceRow, to: Partial<BalanceRow>) => {
        const { since, gone, superseded } = { ...row, ...to };
        update.run(since, gone, superseded, client, row.superseded, row.material, row.since);
        if (superseded !== row.superseded) {
          totals.subtract(row);
          totals.add({ ...row, superseded });
        }
      },

      /** Removes what no batch after this position has. */
      removeUntil: (position: number) => {
        for (const row of rowsOf<BalanceRow>(remove, client, position)) {
          totals.subtract(row);
          changed.push(row);
        }
      },

      /** Writes the totals and the earlier values of all that has changed. */
      finish: () => {
        totals.write();
        for (const { material, unit, since } of changed) setBefore.run({ client, material, unit, since });
      },
    };
  };
};

/** Gathers changes of the table `total`. */
const createTotals = (db: DatabaseSync) => {
  const write = db.prepare(`
    INSERT INTO total VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET warehouses = warehouses + excluded.warehouses, digits = exact_add(digits, excluded.digits)`);
  const changes = new Map<number, Map<number, { warehouses: number; sum: Decimal }>>();

  const change = ({ superseded, material, unit, value }: BalanceRow, sign: 1 | -1) => {
    const ofMaterial = changes.get(material) ?? new Map();
    const { warehouses, sum } = ofMaterial.get(unit) ?? { warehouses: 0, sum: ZERO };
    // A superseded balance adds nothing, but its unit stays known.
    const times = superseded === FOREVER ? sign : 0;
    ofMaterial.set(unit, { warehouses: warehouses + times, sum: add(sum, toDecimal(times * value)) });
    changes.set(material, ofMaterial);
  };

  return {
    add: (row: BalanceRow) => change(row, 1),
    subtract: (row: BalanceRow) => change(row, -1),
    write: () => {
      for (const [material, ofMaterial] of changes)
        for (const [unit, { warehouses, sum }] of ofMaterial)
          write.run(material, unit, warehouses, formatDecimal(sum));
    },
  };
};
