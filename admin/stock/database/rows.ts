import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** After every time and every id of a batch. */
export const FOREVER = '~';

/** All rows. The caller names the type of a row. SQLite has checked the types of all values, because the tables are STRICT. */
export function rowsOf<TRow>(statement: StatementSync, ...values: SQLInputValue[]): TRow[];
export function rowsOf(statement: StatementSync, ...values: SQLInputValue[]): unknown {
  return statement.all(...values);
}

/** Values by the names that they have in SQL. */
export type Values = Record<string, SQLInputValue>;

/** One row after the other, for results that should not be in memory at once. */
export function iterateRows<TRow>(statement: StatementSync, values: Values): Iterable<TRow>;
export function iterateRows(statement: StatementSync, values: Values): unknown {
  return statement.iterate(values);
}
