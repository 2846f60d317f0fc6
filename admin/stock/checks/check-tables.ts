import type { DatabaseSync } from 'node:sqlite';
import { listNames } from '../../../shared/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { simplifyUnit } from '../look-alikes.ts';
import { eachOrderOf, isLate, lateFrom } from '../queries/columns.ts';
import { untilOf } from '../queries/filter.ts';
import { isPast, listRowsAt } from '../queries/lists-at.ts';
import { writeRule } from './kinds/refused-request.ts';
import { fillLikeness } from './parts/likeness.ts';
import { whatToSend } from './parts/what-to-send.ts';

/** The stock to check: at a moment (a time) or the latest, of one client or of all warehouses. */
export type CheckScope = { at?: string | undefined; client?: string | null | undefined };

/** Attributes in which an admin may keep the unit of a material. */
export const UNIT_ATTRIBUTES = ['StockBalanceUnit', 'Unit'];
const listedUnit = (result: (attribute: string) => string) =>
  `CASE ${UNIT_ATTRIBUTES.map((name) => `WHEN json_type(attributes, '$.${name}') = 'text' THEN ${result(name)}`).join(' ')} END`;

/** For each warehouse, the latest batch and the batch before it, in any state. With `has_older`, the service may have batches before `earliest`. */
const BATCHES = `
  SELECT client.name AS client, ${isLate('latest.id', ':now')} AS is_late, ${lateFrom('latest.id')} AS late_from,
    item ->> 'SilenceHours' AS silence_hours,
    known_since IS NOT '' AS has_older,
    (SELECT min(id) FROM main.batch WHERE batch.client = client.name AND batch.state = 'loaded') AS earliest,
    latest.id, latest.state, latest.damage, latest.entries, previous.id AS previous,
    previous.state AS previous_state, previous.damage AS previous_damage, previous.entries AS previous_entries
  FROM main.client
  LEFT JOIN main.batch AS latest ON latest.client = client.name AND latest.id = (
    SELECT max(id) FROM main.batch WHERE batch.client = client.name AND batch.id <= :at
  )
  LEFT JOIN main.batch AS previous ON previous.client = client.name AND previous.id = (
    SELECT max(id) FROM main.batch WHERE batch.client = client.name AND batch.id < latest.id
  )
  WHERE iif(:client IS NULL, client.is_warehouse, client.name = :client)`;

const TABLES = `
  -- The latest batches that are loaded.
  CREATE TEMP VIEW check_latest AS SELECT * FROM check_batch WHERE state = 'loaded';
  -- The last known balances, and those that are in the latest batches.
  CREATE TEMP TABLE check_last AS
    SELECT b.client, material, value, unit, orders, ended, ended > c.id AS is_present
    FROM check_latest AS c CROSS JOIN period AS b
    ON b.client = c.client AND superseded > c.id AND begun <= c.id;
  CREATE INDEX temp.check_last_of_material ON check_last (material, client);
  CREATE TEMP VIEW check_present AS SELECT * FROM check_last WHERE is_present;
  -- The column sender_count counts the latest batches that have the material.
  CREATE TEMP TABLE check_known (
    material TEXT PRIMARY KEY, sender_count INTEGER, sender TEXT, least_unit TEXT, greatest_unit TEXT, left_out TEXT
  ) WITHOUT ROWID;
  INSERT INTO check_known
    SELECT material, sum(is_present), max(client) FILTER (WHERE is_present), min(unit) FILTER (WHERE is_present),
      max(unit) FILTER (WHERE is_present), max(ended) FILTER (WHERE NOT is_present)
    FROM check_last GROUP BY material;
  -- The list of material codes, with its units.
  CREATE TEMP TABLE check_listed (material TEXT PRIMARY KEY, attribute TEXT, unit TEXT) WITHOUT ROWID;
  INSERT INTO check_listed
    SELECT identifier, ${listedUnit((name) => `'${name}'`)}, ${listedUnit((name) => `attributes ->> '$.${name}'`)}
    FROM check_list_row WHERE list = 'MaterialCodes';
  -- Balances that differ between the latest batch and the previous batch.
  CREATE TEMP TABLE check_differs AS
    SELECT b.client, b.material, b.value, b.unit, previous.value AS previous_value, previous.unit AS previous_unit
    FROM check_latest AS latest
    CROSS JOIN main.past AS previous ON previous.client = latest.client
    AND previous.superseded = latest.id AND previous.ended = latest.id
    JOIN check_present AS b ON b.client = previous.client AND b.material = previous.material
    WHERE latest.previous_state = 'loaded' AND (b.value <> previous.value OR b.unit <> previous.unit);
  CREATE INDEX temp.check_differs_of ON check_differs (client, material);
  -- The orders that balances name, one by one.
  CREATE TEMP TABLE check_order AS
    SELECT DISTINCT orders, json_each.value AS name FROM (SELECT DISTINCT orders FROM check_present WHERE orders <> '')
    JOIN ${eachOrderOf('orders')};
  CREATE INDEX temp.check_order_of ON check_order (orders);
  CREATE INDEX temp.check_order_name ON check_order (name)`;

/** The checks select from these tables. The tables are temporary, so a connection that only reads can have them. */
export const createCheckTables = (db: DatabaseSync, { at, client = null }: CheckScope) => {
  db.function('simplify_unit', { deterministic: true }, (unit) => simplifyUnit(String(unit)));
  db.function('describe_rule', { deterministic: true }, (rule) => writeRule(String(rule)));
  db.function('what_to_send', { deterministic: true }, (rule) => whatToSend(String(rule)));
  const now = Math.min(at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at), Date.now());
  const until = `'${untilOf(at)}'`;
  const lists = listNames.map((list) => `SELECT * FROM ${listRowsAt(db, list, at, until)}`);
  const refusedSince = at !== undefined && isPast(db, at) ? FOREVER : new Date(now - DAY_MS).toISOString();
  db.exec(`
    -- Nobody knows what was refused before a past moment.
    CREATE TEMP VIEW check_refusal AS SELECT * FROM main.refusal WHERE at >= '${refusedSince}';
    -- Both lists, and what was changed in them.
    CREATE TEMP VIEW check_list_row AS ${lists.join(' UNION ALL ')};
    CREATE TEMP VIEW check_list_line AS SELECT * FROM main.list_line WHERE is_written AND change <= ${until}`);
  db.prepare(`CREATE TEMP TABLE check_batch AS ${BATCHES}`).run({ at: untilOf(at), now, client });
  db.exec(TABLES);
  fillLikeness(db);
};

export const dropCheckTables = (db: DatabaseSync) => {
  const find = db.prepare(`
    SELECT format('DROP %s temp.%s', type, name) AS sql FROM temp.sqlite_schema
    WHERE tbl_name GLOB 'check_*' AND type <> 'index' ORDER BY type = 'table'`);
  for (const { sql } of rowsOf<{ sql: string }>(find)) db.exec(sql);
};
