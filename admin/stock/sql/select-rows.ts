import { constants, type DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { Failure } from '../../text/failure.ts';
import { joinNames } from '../../text/words.ts';
import { showFindingsOf } from '../checks/show-findings.ts';
import { openForReading } from '../database/open-stock.ts';
import { iterateRows } from '../database/rows.ts';
import type { Cell } from '../queries/read-table.ts';
import { parametersOf, toParameterValue, withNulls } from './parameters.ts';
import { createViews, openViewsAlone, viewNames } from './views.ts';

export type Query = {
  file: string;
  sql: string;
  /** Without it, the views show the latest stock. */
  at?: string | undefined;
  /** The values of `:name` in the query, by their names. */
  parameters?: Readonly<Record<string, string>> | undefined;
};

/** Returns a query around the SQL of another query, which has these columns. */
export type WrapQuery = (sql: string, columns: readonly string[]) => string;

/** A longer text would not fit into a text of JavaScript, or would take too much memory. */
const MAX_VALUE_BYTES = 2 ** 24;

/** Runs a query that a person wrote, in this process. Rows come as they are found. `columns` are those of `sql` before it is wrapped. */
export const selectRows = ({ file, sql, at, parameters = {} }: Query, wrap?: WrapQuery) => {
  const db = openForReading(file);
  db.limits.length = MAX_VALUE_BYTES;
  const { columns, statement, values } = orRefusal(() => {
    prepareViews(db, sql, at);
    allowReadingOnly(db);
    const writtenQuery = prepareOne(db, sql);
    const values = valuesFor(writtenQuery, parameters);
    refuseOtherTables(writtenQuery.sourceSQL);
    const columns = columnNamesOf(writtenQuery);
    const wrappedSql = wrap?.(writtenQuery.sourceSQL.replace(/;$/, ''), columns);
    return { columns, values, statement: wrappedSql === undefined ? writtenQuery : db.prepare(wrappedSql) };
  });
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return { columns, rows: readCells(db, statement, values) };
};

const prepareViews = (db: DatabaseSync, sql: string, at: string | undefined) => {
  // To check the stock of an earlier moment takes seconds, so it is checked only if the query names the view `finding`.
  const needsFindings = at !== undefined && /\bfinding\b/i.test(sql);
  if (needsFindings) {
    showFindingsOf(db, { at });
    db.exec('ALTER TABLE temp.finding RENAME TO finding_of_moment');
  }
  createViews(db, { at, finding: needsFindings ? 'temp.finding_of_moment' : 'main.finding' });
};

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants;
const ALLOWED = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE]);

const allowReadingOnly = (db: DatabaseSync) =>
  db.setAuthorizer((action) => (ALLOWED.has(action) ? SQLITE_OK : SQLITE_DENY));

/** SQLite prepares the first statement, and ignores what follows. */
const prepareOne = (db: DatabaseSync, sql: string) => {
  if (isEmpty(sql)) throw new Failure('The query is empty. Begin it with SELECT or WITH.');
  const statement = db.prepare(sql);
  if (!isEmpty(sql.slice(statement.sourceSQL.length)))
    throw new Failure('Give one statement. There is a second statement after the first semicolon.');
  return statement;
};

const isEmpty = (sql: string) => !/[^\s;]/.test(sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ''));

/** SQLite would take a parameter without a value as NULL. */
const valuesFor = ({ sourceSQL, expandedSQL }: StatementSync, given: Readonly<Record<string, string>>) => {
  if (expandedSQL !== withNulls(sourceSQL))
    throw new Failure(
      'The query has a parameter such as ?, @name or $name. Only parameters such as :name can have a value.',
    );
  const names = parametersOf(sourceSQL);
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw new Failure(`The query needs a value for ${joinNames(missing.map((name) => `:${name}`))}.`);
  return Object.fromEntries(names.map((name) => [name, toParameterValue(given[name] ?? '')]));
};

/**
 * Prepares the query where there are only the views. On the stock's own connection, SQLite cannot tell a view from a query in a
 * query that has its name.
 */
const refuseOtherTables = (sql: string) => {
  const db = openViewsAlone();
  const isOfSQLite = (table: string | null) => /^(sqlite_|dbstat$)/i.test(table ?? '');
  db.setAuthorizer((action, table) =>
    action === SQLITE_READ && isOfSQLite(table) ? SQLITE_DENY : SQLITE_OK,
  );
  try {
    db.prepare(sql);
  } catch (error) {
    if (error instanceof Error && /^no such table/.test(error.message)) throw error;
    throw new Failure(`A query can read the views only. The views are ${joinNames(viewNames)}.`);
  } finally {
    db.close();
  }
};

/** In JSON, a second column of the same name would be lost. */
const columnNamesOf = (statement: StatementSync) => {
  const names = statement.columns().map(({ name }) => name);
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} ${index + 1}`));
};

function* readCells(
  db: DatabaseSync,
  statement: StatementSync,
  values: ReturnType<typeof valuesFor>,
): Generator<Cell[]> {
  try {
    for (const row of iterateRows<SQLOutputValue[]>(statement, values)) yield row.map(toCell);
  } catch (error) {
    throw toRefusal(error);
  } finally {
    db.close();
  }
}

/** JSON has no infinite numbers and no bytes, and its numbers hold fewer digits than SQLite's integers. */
const toCell = (value: SQLOutputValue): Cell => {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object') return Buffer.from(value).toString('hex');
  const number = Number(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(number) ? number : String(value);
  return Number.isFinite(number) ? number : String(number);
};

const orRefusal = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toRefusal(error);
  }
};

const toRefusal = (error: unknown) =>
  error instanceof Failure || !(error instanceof Error) ? error : new Failure(explainRefusal(error.message));

const explainRefusal = (message: string) => {
  if (message === 'string or blob too big')
    return 'A value of the query has more than 16 MB. Ask for less in one value.';
  if (/not authorized|prohibited|authorization denied|cannot modify/.test(message))
    return `A query can only read the views ${joinNames(viewNames)}. Begin it with SELECT or WITH.`;
  const [, viewName] = /^no such table: (.*)$/.exec(message) ?? [];
  return viewName === undefined
    ? `The query cannot be run: ${message}.`
    : `There is no view ${viewName}. The views are ${joinNames(viewNames)}.`;
};
