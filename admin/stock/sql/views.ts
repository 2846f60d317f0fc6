import { DatabaseSync } from 'node:sqlite';
import { openStock, setUp } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { ofBatch } from '../queries/columns.ts';
import { fromPrevious } from '../tables/history.ts';

/** Such as 2026-03-31T09:30:00.000Z. */
const iso = (ms: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;

const LOADED = `SELECT instant FROM main.batch WHERE batch.client = b.client AND state = 'loaded'`;
/** The time at which the row begins. If its `begun` is 0, this is the time of the earliest batch. */
const BEGINNING = `max(b.begun, (SELECT min(instant) FROM (${LOADED})))`;

const ROWS = `main.client AS c
  CROSS JOIN main.balance AS b ON b.client = c.id
  JOIN main.material AS m ON m.id = b.material
  JOIN main.unit AS u ON u.id = b.unit
  JOIN main.orders AS o ON o.id = b.orders`;
const BALANCE = 'm.name AS material, c.name AS warehouse, b.value, u.name AS unit, o.name AS orders';

/** The newest batch until a moment that has the balance of the row. */
const newestWithBalance = (at: number) =>
  `(SELECT max(instant) FROM (${LOADED} AND instant <= ${at} AND instant < b.ended))`;

/** Whether the row had begun at a moment, and its warehouse had sent a batch by then. */
const hadBegun = (at: number) => `c.is_warehouse AND b.begun <= ${at}
    AND EXISTS (SELECT 1 FROM main.batch WHERE batch.client = c.id AND instant <= ${at} AND state = 'loaded')`;

const list = (name: string, column: string) =>
  `SELECT identifier AS ${column}, attributes FROM main.list_row WHERE list = '${name}'`;

/** What people may query, as of a moment. docs/sql.md describes each column. `finding` is the table with the findings of the moment. */
const viewsOf = ({ at, finding }: { at: number; finding: string }) => ({
  balance: `
    SELECT ${BALANCE}, ${iso(BEGINNING)} AS since, ${iso(newestWithBalance(at))} AS received_at,
      ${ofBatch('snapshot_id', 'b.client', newestWithBalance(at))} AS snapshot_id
    FROM ${ROWS} WHERE b.superseded > ${at} AND ${hadBegun(at)}`,
  history: `
    SELECT ${BALANCE}, ${iso(BEGINNING)} AS since, ${iso(`iif(b.ended > ${at}, NULL, b.ended)`)} AS until,
      ${fromPrevious('b', 'value')} AS value_before,
      ${fromPrevious('b', '(SELECT name FROM main.unit WHERE id = previous.unit)')} AS unit_before,
      ${ofBatch('snapshot_id', 'b.client', BEGINNING)} AS snapshot_id
    FROM ${ROWS} WHERE ${hadBegun(at)}`,
  batch: `
    SELECT c.name AS warehouse, snapshot_id, ${iso('received_at')} AS received_at, entries, parts, request_id,
      ${iso('expires_at')} AS expires_at, state, damage
    FROM main.batch AS b JOIN main.client AS c ON c.id = b.client WHERE c.is_warehouse AND b.received_at <= ${at}`,
  change: `
    SELECT c.name AS warehouse, ${iso('received_at')} AS received_at, timestamp_text AS timestamp, request_id
    FROM main.change AS b JOIN main.client AS c ON c.id = b.client WHERE c.is_warehouse AND +b.received_at <= ${at}`,
  material_code: list('MaterialCodes', 'material'),
  purchase_order: list('PurchaseOrders', 'purchase_order'),
  finding: `
    SELECT severity, kind, c.name AS warehouse, subject, detail, advice, count, ${iso('since')} AS since,
      ${ofBatch('snapshot_id', 'f.client', 'f.instant')} AS snapshot_id
    FROM ${finding} AS f LEFT JOIN main.client AS c ON c.id = f.client`,
});

/** On this connection, the views hide the tables of the same names. */
export const createViews = (db: DatabaseSync, options: Parameters<typeof viewsOf>[0]) => {
  for (const [name, sql] of Object.entries(viewsOf(options))) db.exec(`CREATE TEMP VIEW ${name} AS ${sql}`);
};

export const viewNames = Object.keys(viewsOf({ at: 0, finding: '' }));

export const readViews = () => {
  const { db } = openStock(':memory:');
  createViews(db, { at: 0, finding: 'main.finding' });
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
