import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { decimalsOf } from './exact.ts';
import { FOREVER, rowsOf } from './rows.ts';

export type Balance = { material: string; value: number; unit: string; orders: string };
/** A row of `balance` if `superseded` is FOREVER, or of `past`. */
export type Row = Balance & { begun: string; ended: string; superseded: string };
export type Batch = { id: string; balances: readonly Balance[] };

export const isSame = (first: Balance, second: Balance) =>
  first.value === second.value && first.unit === second.unit && first.orders === second.orders;

const UNTIL_BEGUN = 'client, material, value, decimals, unit, orders, begun';
const COLUMNS = `${UNTIL_BEGUN}, ended`;
export const BALANCE = 'material, value, unit, orders';

const TEXTS = ['material', 'unit', 'orders'] as const;

/** Replaces a row in its place. To delete it first would also change the index of materials. */
const PUT_BALANCE = `
  INSERT INTO balance VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value,
  decimals = excluded.decimals, unit = excluded.unit, orders = excluded.orders, begun = excluded.begun, ended = excluded.ended`;

export const createStatements = (db: DatabaseSync) => {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return {
    run: (sql: string, ...values: SQLInputValue[]) => statement(sql).run(...values),
    all: <TRow>(sql: string, ...values: SQLInputValue[]) => rowsOf<TRow>(statement(sql), ...values),
  };
};

export type Statements = ReturnType<typeof createStatements>;

export const createBalanceWriter = ({ run, all }: Statements, client: string) => {
  /** Writes a row, and remembers its texts for searches. The texts of `known` are remembered already. */
  const insert = (row: Row, known?: Balance) => {
    const { material, value, unit, orders, begun, ended, superseded } = row;
    const values = [client, material, value, decimalsOf(value), unit, orders, begun, ended];
    if (superseded === FOREVER) run(PUT_BALANCE, ...values);
    else run('INSERT INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, superseded);
    for (const kind of TEXTS)
      if (row[kind] !== known?.[kind])
        run(
          `INSERT INTO word SELECT ?1, ?2, fold(?2) WHERE NOT EXISTS (SELECT 1 FROM word WHERE kind = ?1 AND text = ?2)`,
          kind,
          row[kind],
        );
  };
  const copyToPast = (material: string, id: string) =>
    run(
      `INSERT INTO past SELECT ${UNTIL_BEGUN}, min(ended, ?1), ?1 FROM balance WHERE client = ?2 AND material = ?3`,
      id,
      client,
      material,
    );

  return {
    /** Writes a batch that is newer than all others. */
    append: ({ id, balances }: Batch) => {
      const rows = all<Balance & Pick<Row, 'ended'>>(
        `SELECT ${BALANCE}, ended FROM balance WHERE client = ?`,
        client,
      );
      const known = new Map(rows.map((row) => [row.material, row]));
      for (const balance of balances) {
        const row = known.get(balance.material);
        known.delete(balance.material);
        if (row?.ended === FOREVER && isSame(row, balance)) continue;
        if (row) copyToPast(balance.material, id);
        insert({ ...balance, begun: id, ended: FOREVER, superseded: FOREVER }, row);
      }
      for (const { material } of known.values())
        run(
          `UPDATE balance SET ended = ? WHERE client = ? AND material = ? AND ended = '${FOREVER}'`,
          id,
          client,
          material,
        );
    },

    insert,

    /** Removes the balances of a batch and of all newer batches. */
    cut: (id: string) => {
      run('DELETE FROM balance WHERE client = ? AND begun >= ?', client, id);
      run(
        `INSERT INTO balance (${COLUMNS}) SELECT ${COLUMNS} FROM past WHERE client = ?1 AND begun < ?2 AND superseded >= ?2`,
        client,
        id,
      );
      run('DELETE FROM past WHERE client = ? AND superseded >= ?', client, id);
      run(
        `UPDATE balance SET ended = '${FOREVER}' WHERE client = ? AND ended >= ? AND ended < '${FOREVER}'`,
        client,
        id,
      );
    },

    balancesOf: (id: string) =>
      all<Balance>(
        `SELECT ${BALANCE} FROM period WHERE client = ?1 AND begun <= ?2 AND ended > ?2`,
        client,
        id,
      ),
  };
};

export type BalanceWriter = ReturnType<typeof createBalanceWriter>;
