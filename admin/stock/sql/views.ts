import { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { PROGRAM } from '../../text/reader.ts';
import { openStock, setUp } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { timeOf } from '../queries/columns.ts';
import { untilOf, WAREHOUSES } from '../queries/filter.ts';
import { knownBalances, newestBatch } from '../queries/known-balances.ts';
import { listRowsAt } from '../queries/lists-at.ts';
import { ADVICE, addSentences, DETAIL, SUBJECT, withStates } from '../tables/findings.ts';
import { endedBy, fromPrevious } from '../tables/history.ts';
import { MADE_BY } from '../tables/list-changes.ts';

const OF_WAREHOUSE = `client IN ${WAREHOUSES}`;
const BALANCE = 'material, client AS warehouse, value, unit, orders';

type ViewOptions = { at?: string | undefined; finding: string };

/** What people may query, at a moment or now. docs/sql.md describes each column. `finding` is the table with the findings of the moment. */
const viewsOf = (
  db: DatabaseSync,
  { at, finding }: ViewOptions,
  until = `'${untilOf(at)}'`,
  present = new Date().toISOString(),
  list = (name: ListName) => listRowsAt(db, name, at, until),
) => ({
  balance: `
    SELECT ${BALANCE}, ${timeOf('begun')} AS since, ${timeOf(newestBatch(until))} AS received_at,
      ${newestBatch(until)} AS snapshot_id
    FROM ${knownBalances({ at }, until)}`,
  history: `
    SELECT ${BALANCE}, ${timeOf('begun')} AS since, ${timeOf(endedBy(until))} AS until,
      ${fromPrevious('value')} AS value_before, ${fromPrevious('unit')} AS unit_before, begun AS snapshot_id
    FROM period AS b WHERE ${OF_WAREHOUSE} AND begun <= ${until}`,
  batch: `
    SELECT client AS warehouse, id AS snapshot_id, received_at, entries, parts, request_id, expires_at, state, damage
    FROM main.batch WHERE ${OF_WAREHOUSE} AND received_at <= ${until}`,
  change: `
    SELECT client AS warehouse, received_at, timestamp, request_id FROM main.change
    WHERE ${OF_WAREHOUSE} AND +received_at <= ${until}`,
  material_code: `SELECT identifier AS material, attributes FROM ${list('MaterialCodes')}`,
  purchase_order: `SELECT identifier AS purchase_order, attributes FROM ${list('PurchaseOrders')}`,
  list_change: `
    SELECT c.list, identifier, ${timeOf('c.id')} AS changed_at, ${MADE_BY} AS made_by, c.kind, source, line.kind AS row_kind,
      attribute, before, after, iif(ended IS NULL, NULL, is_written) AS is_written, c.id AS change_id, undoes
    FROM main.list_change AS c JOIN main.list_line AS line ON line.list = c.list AND change = c.id
    WHERE c.id <= ${until}`,
  finding: `
    SELECT severity, kind, client AS warehouse, ${SUBJECT} AS subject, ${DETAIL} AS detail, ${ADVICE} AS advice, count, ${timeOf('since')} AS since,
      batch AS snapshot_id, scope, state FROM ${withStates(finding, { at: until, now: `'${at ?? present}'`, present: `'${present}'` })}`,
});

/** On this connection, the views hide the tables of the same names. */
export const createViews = (db: DatabaseSync, options: ViewOptions) => {
  addSentences(db, () => PROGRAM);
  for (const [name, sql] of Object.entries(viewsOf(db, options)))
    db.exec(`CREATE TEMP VIEW ${name} AS ${sql}`);
};

const NOW = { finding: 'main.finding' };

export const viewNames = Object.keys(viewsOf(openStock(':memory:'), NOW));

export const readViews = () => {
  const db = openStock(':memory:');
  createViews(db, NOW);
  const columns = `SELECT group_concat(name, ', ') FROM pragma_table_info(view.name, 'temp')`;
  return rowsOf<{ name: string; columns: string }>(
    db.prepare(`SELECT name, (${columns}) AS columns FROM temp.sqlite_schema AS view`),
  );
};

/** A database that has tables with the names and the columns of the views, and no other table. */
export const openViewsAlone = () => {
  const db = new DatabaseSync(':memory:');
  setUp(db);
  for (const { name, columns } of readViews()) db.exec(`CREATE TEMP TABLE ${name} (${columns})`);
  return db;
};
