import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { decimalsOf } from './exact.ts';
import { rowsOf } from './rows.ts';

export type Balance = { material: string; value: number; unit: string; orders: string };
export type Row = Balance & { begun: string; ended: string | null };
export type Batch = { id: string; balances: readonly Balance[] };

export const isSame = (first: Balance, second: Balance) =>
  first.value === second.value && first.unit === second.unit && first.orders === second.orders;

const UNTIL_BEGUN = 'client, material, value, decimals, unit, orders, begun';
const COLUMNS = `${UNTIL_BEGUN}, ended`;
export const BALANCE = 'material, value, unit, orders';

/** The balances of a batch. */
const BALANCES_OF_BATCH = `
  SELECT ${BALANCE} FROM balance WHERE client = ?1 AND begun <= ?2 AND ifnull(ended > ?2, TRUE)
  UNION ALL SELECT ${BALANCE} FROM past WHERE client = ?1 AND begun <= ?2 AND ended > ?2`;

/** Statements that are prepared once. */
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

/** The balances of one client. */
export const createRows = ({ run, all }: Statements, client: string) => {
  /** Writes a row, and remembers its texts for searches. `superseded` is null if it is the last row of its material. */
  const insert = ({ material, value, unit, orders, begun, ended }: Row, superseded: string | null) => {
    const values = [client, material, value, decimalsOf(value), unit, orders, begun, ended];
    if (superseded === null) run('INSERT INTO balance VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values);
    else run('INSERT INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, superseded);
    for (const [kind, text] of Object.entries({ material, unit, orders }))
      run(
        `INSERT INTO word SELECT ?1, ?2, fold(?2) WHERE NOT EXISTS (SELECT 1 FROM word WHERE kind = ?1 AND text = ?2)`,
        ...[kind, text],
      );
  };
  const supersede = (material: string, id: string) => {
    run(
      `INSERT INTO past SELECT ${UNTIL_BEGUN}, ifnull(ended, ?1), ?1 FROM balance WHERE client = ?2 AND material = ?3`,
      ...[id, client, material],
    );
    run('DELETE FROM balance WHERE client = ? AND material = ?', client, material);
  };

  return {
    /** Writes a batch that is newer than all others. */
    append: ({ id, balances }: Batch) => {
      const rows = all<Row>(`SELECT ${BALANCE}, begun, ended FROM balance WHERE client = ?`, client);
      const known = new Map(rows.map((row) => [row.material, row]));
      for (const balance of balances) {
        const row = known.get(balance.material);
        known.delete(balance.material);
        if (row?.ended === null && isSame(row, balance)) continue;
        if (row) supersede(balance.material, id);
        insert({ ...balance, begun: id, ended: null }, null);
      }
      for (const { material } of known.values())
        run(
          'UPDATE balance SET ended = ? WHERE client = ? AND material = ? AND ended IS NULL',
          ...[id, client, material],
        );
    },

    insert,

    /** Removes the balances of a batch and of all newer batches. */
    cut: (id: string) => {
      run('DELETE FROM balance WHERE client = ? AND begun >= ?', client, id);
      run(
        `INSERT INTO balance (${COLUMNS}) SELECT ${COLUMNS} FROM past WHERE client = ?1 AND begun < ?2 AND superseded >= ?2`,
        ...[client, id],
      );
      run('DELETE FROM past WHERE client = ? AND superseded >= ?', client, id);
      run('UPDATE balance SET ended = NULL WHERE client = ? AND ended >= ?', client, id);
    },

    balancesOf: (id: string) => all<Balance>(BALANCES_OF_BATCH, client, id),
  };
};

export type BalanceRows = ReturnType<typeof createRows>;
