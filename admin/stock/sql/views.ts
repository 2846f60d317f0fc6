import { DatabaseSync } from 'node:sqlite';
import { openStock, setUp } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { ADVICE, addSentences, DETAIL, SUBJECT } from '../tables/findings.ts';
import { fromPrevious, PERIODS } from '../tables/history.ts';

/** The time of a batch. */
const timeOf = (id: string) => `substr(${id}, 1, 24)`;

/** The newest loaded batch until a moment that has the balance. */
const newestWithBalance = (at: string) => `(
  SELECT id FROM main.batch WHERE batch.client = b.client AND state = 'loaded' AND id <= ${at} AND ifnull(id < b.ended, TRUE)
  ORDER BY id DESC LIMIT 1
)`;

const OF_WAREHOUSE = 'client IN (SELECT name FROM main.client WHERE is_warehouse)';
const BALANCE = 'material, client AS warehouse, value, unit, orders';

const list = (name: string, column: string) =>
  `SELECT identifier AS ${column}, attributes FROM main.list_row WHERE list = '${name}'`;

/** What people may query, until `at`, an id or a time in SQL. docs/sql.md describes each column. `finding` is the table with the findings of the moment. */
const viewsOf = ({ at, finding }: { at: string; finding: string }) => ({
  balance: `
    SELECT ${BALANCE}, ${timeOf('begun')} AS since, ${timeOf(newestWithBalance(at))} AS received_at,
      ${newestWithBalance(at)} AS snapshot_id
    FROM ${PERIODS} AS b WHERE ${OF_WAREHOUSE} AND begun <= ${at} AND ifnull(superseded > ${at}, TRUE)`,
  history: `
    SELECT ${BALANCE}, ${timeOf('begun')} AS since, ${timeOf(`iif(ended > ${at}, NULL, ended)`)} AS until,
      ${fromPrevious('value')} AS value_before, ${fromPrevious('unit')} AS unit_before, begun AS snapshot_id
    FROM ${PERIODS} AS b WHERE ${OF_WAREHOUSE} AND begun <= ${at}`,
  batch: `
    SELECT client AS warehouse, id AS snapshot_id, received_at, entries, parts, request_id, expires_at, state, damage
    FROM main.batch WHERE ${OF_WAREHOUSE} AND received_at <= ${at}`,
  change: `
    SELECT client AS warehouse, received_at, timestamp, request_id FROM main.change
    WHERE ${OF_WAREHOUSE} AND +received_at <= ${at}`,
  material_code: list('MaterialCodes', 'material'),
  purchase_order: list('PurchaseOrders', 'purchase_order'),
  finding: `
    SELECT severity, kind, client AS warehouse, ${SUBJECT} AS subject, ${DETAIL} AS detail, ${ADVICE} AS advice, count, ${timeOf('since')} AS since,
      batch AS snapshot_id FROM ${finding} AS b`,
});

/** On this connection, the views hide the tables of the same names. */
export const createViews = (db: DatabaseSync, options: Parameters<typeof viewsOf>[0]) => {
  addSentences(db);
  for (const [name, sql] of Object.entries(viewsOf(options))) db.exec(`CREATE TEMP VIEW ${name} AS ${sql}`);
};

export const viewNames = Object.keys(viewsOf({ at: '', finding: '' }));

export const readViews = () => {
  const db = openStock(':memory:');
  createViews(db, { at: `''`, finding: 'main.finding' });
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
