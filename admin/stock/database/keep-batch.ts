import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { decimalsOf } from './exact.ts';
import { rowsOf } from './rows.ts';

export type Balance = { material: string; value: number; unit: string; orders: string };
type Row = Balance & { begun: string; ended: string | null };
type FirstRow = Row & { home: 'balance' | 'past' };

export const toBalance = (entry: StockBalanceEntry): Balance => ({
  material: entry.MaterialCode,
  value: entry.StockBalance,
  unit: entry.StockBalanceUnit,
  orders: entry.PurchaseOrders.join(' '),
});

const isSame = (first: Balance, second: Balance) =>
  first.value === second.value && first.unit === second.unit && first.orders === second.orders;

const COLUMNS = 'client, material, value, decimals, unit, orders, begun, ended';
const BALANCE = 'material, value, unit, orders';

/** The balances of a batch. */
const BALANCES_OF_BATCH = `
  SELECT ${BALANCE} FROM balance WHERE client = ?1 AND begun <= ?2 AND ifnull(ended > ?2, TRUE)
  UNION ALL SELECT ${BALANCE} FROM past WHERE client = ?1 AND begun <= ?2 AND ended > ?2`;

/** The first row of a material. */
const FIRST_ROW = `
  SELECT * FROM (
    SELECT ${BALANCE}, begun, ended, 'past' AS home FROM past WHERE client = ?1 AND material = ?2 ORDER BY begun LIMIT 1
  ) UNION ALL SELECT ${BALANCE}, begun, ended, 'balance' FROM balance WHERE client = ?1 AND material = ?2`;

/** Statements that are prepared once. */
const createStatements = (db: DatabaseSync) => {
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

type Statements = ReturnType<typeof createStatements>;

/** The balances of one client. */
const createRows = ({ run, all }: Statements, client: string) => {
  const insert = (
    table: 'balance' | 'past',
    { material, value, unit, orders }: Balance,
    ...times: (string | null)[]
  ) => {
    const columns = table === 'past' ? `${COLUMNS}, superseded` : COLUMNS;
    const values = [client, material, value, decimalsOf(value), unit, orders, ...times];
    run(`INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`, ...values);
  };
  const replace = (row: Row, balance: Balance, id: string) => {
    insert('past', row, row.begun, row.ended ?? id, id);
    run('DELETE FROM balance WHERE client = ? AND material = ?', client, balance.material);
  };

  return {
    /** Writes a batch that is newer than all others. */
    append: (id: string, balances: readonly Balance[]) => {
      const rows = all<Row>(`SELECT ${BALANCE}, begun, ended FROM balance WHERE client = ?`, client);
      const known = new Map(rows.map((row) => [row.material, row]));
      for (const balance of balances) {
        const row = known.get(balance.material);
        known.delete(balance.material);
        if (row?.ended === null && isSame(row, balance)) continue;
        if (row) replace(row, balance, id);
        insert('balance', balance, id, null);
      }
      for (const { material } of known.values())
        run(
          'UPDATE balance SET ended = ? WHERE client = ? AND material = ? AND ended IS NULL',
          id,
          client,
          material,
        );
    },

    /** Writes a batch that is older than all others. `earliest` was the oldest. */
    prepend: (id: string, balances: readonly Balance[], earliest: string) => {
      for (const balance of balances) {
        const { material } = balance;
        const [first] = all<FirstRow>(FIRST_ROW, client, material);
        if (!first) insert('balance', balance, id, earliest);
        else if (first.begun !== earliest || !isSame(first, balance))
          insert('past', balance, id, earliest, first.begun);
        else
          run(
            `UPDATE ${first.home} SET begun = ? WHERE client = ? AND material = ? AND begun = ?`,
            ...[id, client, material, earliest],
          );
      }
    },

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

/** Remembers new texts for searches and filters. */
const addWords = ({ run }: Statements, balances: readonly Balance[]) => {
  for (const kind of ['material', 'orders', 'unit'] as const)
    for (const text of new Set(balances.map((balance) => balance[kind])))
      run(
        `INSERT INTO word SELECT ?1, ?2, fold(?2) WHERE NOT EXISTS (SELECT 1 FROM word WHERE kind = ?1 AND text = ?2)`,
        ...[kind, text],
      );
};

/** Writes the balances of batches in any order. The newest and the oldest batch of a client are the fastest. Call it in a transaction. */
export const createBatchKeeper = (db: DatabaseSync) => {
  const statements = createStatements(db);
  const { run, all } = statements;
  return (client: string, id: string, entries: readonly StockBalanceEntry[]) => {
    const balances = entries.map(toBalance);
    const { append, prepend, cut, balancesOf } = createRows(statements, client);
    const select = `SELECT id FROM batch WHERE client = ? AND state = 'loaded' ORDER BY id`;
    const ids = all<{ id: string }>(select, client).map((batch) => batch.id);
    const [earliest] = ids;
    const newer = ids.filter((other) => other > id);
    const [next] = newer;
    if (next === undefined) append(id, balances);
    else if (next === earliest) prepend(id, balances, earliest);
    else {
      const again = newer.map((newerId) => ({ newerId, balances: balancesOf(newerId) }));
      cut(next);
      append(id, balances);
      for (const { newerId, balances } of again) append(newerId, balances);
    }
    addWords(statements, balances);
    run(`UPDATE batch SET state = 'loaded' WHERE client = ? AND id = ?`, client, id);
  };
};

/** Removes expired batches and their balances. Call it in a transaction. */
export const forgetExpired = (db: DatabaseSync, now: Date) => {
  const expired = rowsOf<{ client: string; next: string | null; hasOlder: number }>(
    db.prepare(`
      WITH expired AS (SELECT client, min(id) AS first, max(id) AS last FROM batch WHERE expires_at <= ?1 GROUP BY client)
      SELECT client, (
        SELECT min(id) FROM batch WHERE batch.client = expired.client AND id > last AND state = 'loaded'
      ) AS next, EXISTS (
        SELECT 1 FROM batch WHERE batch.client = expired.client AND id < last AND ifnull(expires_at > ?1, TRUE)
      ) AS hasOlder FROM expired`),
    now.toISOString(),
  );
  for (const { client, next, hasOlder } of expired) {
    // After a change of the retention, an older batch may expire later. Then all batches of the client are read again.
    if (hasOlder || next === null) forgetBatches(db, client);
    else forgetBefore(db, client, next);
  }
  db.prepare('DELETE FROM batch WHERE expires_at <= ?').run(now.toISOString());
};

/** Removes what only batches before `next` have. */
const forgetBefore = (db: DatabaseSync, client: string, next: string) => {
  for (const table of ['past', 'balance']) {
    db.prepare(`DELETE FROM ${table} WHERE client = ? AND ended <= ?`).run(client, next);
    db.prepare(`UPDATE ${table} SET begun = ?2 WHERE client = ?1 AND begun < ?2`).run(client, next);
  }
};

/** Removes all batches of a client, for example because the table was replaced. Call it in a transaction. */
export const forgetBatches = (db: DatabaseSync, client: string) => {
  for (const table of ['past', 'balance', 'batch'])
    db.prepare(`DELETE FROM ${table} WHERE client = ?`).run(client);
  db.prepare('UPDATE client SET has_all_batches = 0 WHERE name = ?').run(client);
};
