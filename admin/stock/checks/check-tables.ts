import type { DatabaseSync } from 'node:sqlite';
import { isLateWithoutBatch } from '../database/lateness.ts';
import { rowsOf } from '../database/rows.ts';
import { simplifyUnit } from '../look-alikes.ts';
import { untilOf } from '../queries/filter.ts';
import { fillLikeness } from './parts/likeness.ts';

/** The stock to check: at a moment (a time) or the latest, of one client or of all warehouses. */
export type CheckScope = { at?: string | undefined; client?: string | undefined };

/** Attributes in which an admin may keep the unit of a material. */
const UNIT_ATTRIBUTES = ['StockBalanceUnit', 'Unit'];
const listedUnit = (result: (attribute: string) => string) =>
  `CASE ${UNIT_ATTRIBUTES.map((name) => `WHEN json_type(attributes, '$.${name}') = 'text' THEN ${result(name)}`).join(' ')} END`;

/** The checks select from these tables. The tables are temporary, so a connection that only reads can have them. */
export const createCheckTables = (db: DatabaseSync, { at, client }: CheckScope) => {
  db.function('simplify_unit', { deterministic: true }, (unit) => simplifyUnit(String(unit)));
  // For each warehouse, the latest batch and the batch before it, in any state. `earliest` is the first batch that is loaded. With
  // `has_older`, the service may have batches before it.
  db.exec(`
    CREATE TEMP TABLE check_batch (
      client TEXT PRIMARY KEY, is_late_without_batch INTEGER, has_older INTEGER, earliest TEXT,
      id TEXT, state TEXT, damage TEXT, entries INTEGER,
      previous TEXT, previous_state TEXT, previous_damage TEXT, previous_entries INTEGER
    );
    -- The latest batches that are loaded.
    CREATE TEMP VIEW check_latest AS SELECT * FROM check_batch WHERE state = 'loaded';
    -- The periods of balances until the latest batch. \`is_known\` is 1 for the last period of a material.
    CREATE TEMP VIEW check_period AS
      SELECT b.*, TRUE AS is_known FROM check_latest AS c CROSS JOIN main.balance AS b
      ON b.client = c.client AND b.begun <= c.id
      UNION ALL SELECT b.client, material, value, decimals, unit, orders, begun, ended, superseded > c.id
      FROM check_latest AS c CROSS JOIN main.past AS b ON b.client = c.client AND b.begun <= c.id`);
  db.prepare(`
    INSERT INTO check_batch
    SELECT client.name, ${isLateWithoutBatch(':now')}
      AND NOT EXISTS (SELECT 1 FROM main.batch WHERE batch.client = client.name AND batch.id <= :at),
      known_since IS NOT '',
      (SELECT min(id) FROM main.batch WHERE batch.client = client.name AND batch.state = 'loaded'),
      latest.id, latest.state, latest.damage, latest.entries,
      previous.id, previous.state, previous.damage, previous.entries
    FROM main.client
    LEFT JOIN main.batch AS latest ON latest.client = client.name AND latest.id = (
      SELECT max(id) FROM main.batch WHERE batch.client = client.name AND batch.id <= :at
    )
    LEFT JOIN main.batch AS previous ON previous.client = client.name AND previous.id = (
      SELECT max(id) FROM main.batch WHERE batch.client = client.name AND batch.id < latest.id
    )
    WHERE iif(:client IS NULL, client.is_warehouse, client.name = :client)`).run({
    at: untilOf(at),
    now: Math.min(at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at), Date.now()),
    client: client ?? null,
  });
  db.exec(`
    -- The balances of the latest batches.
    CREATE TEMP TABLE check_present (
      client TEXT, material TEXT, value REAL, unit TEXT, orders TEXT, begun TEXT, PRIMARY KEY (client, material)
    ) WITHOUT ROWID;
    INSERT INTO check_present
      SELECT b.client, material, value, unit, orders, begun FROM check_period AS b JOIN check_latest AS c USING (client)
      WHERE is_known AND ifnull(ended > c.id, TRUE);
    CREATE INDEX temp.check_present_of ON check_present (material);
    -- Materials that have a last known balance. The column sender_count counts the latest batches that have the material.
    CREATE TEMP TABLE check_known (
      material TEXT PRIMARY KEY, sender_count INTEGER, sender TEXT, least_unit TEXT, greatest_unit TEXT, left_out TEXT
    ) WITHOUT ROWID;
    INSERT INTO check_known
      SELECT material, count(present), max(present), min(iif(present IS NULL, NULL, unit)),
        max(iif(present IS NULL, NULL, unit)), max(iif(present IS NULL, ended, NULL))
      FROM (
        SELECT b.*, iif(ifnull(ended > c.id, TRUE), b.client, NULL) AS present
        FROM check_period AS b JOIN check_latest AS c USING (client) WHERE is_known
      ) GROUP BY material;
    -- The list of material codes, with its units.
    CREATE TEMP TABLE check_listed (material TEXT PRIMARY KEY, attribute TEXT, unit TEXT) WITHOUT ROWID;
    INSERT INTO check_listed
      SELECT identifier, ${listedUnit((name) => `'${name}'`)}, ${listedUnit((name) => `attributes ->> '$.${name}'`)}
      FROM main.list_row WHERE list = 'MaterialCodes';
    -- Balances that differ between the latest batch and the previous batch.
    CREATE TEMP TABLE check_differs (
      client TEXT, material TEXT, value REAL, unit TEXT, previous_value REAL, previous_unit TEXT,
      PRIMARY KEY (client, material)
    ) WITHOUT ROWID;
    INSERT INTO check_differs
      SELECT b.client, b.material, b.value, b.unit, previous.value, previous.unit
      FROM check_latest AS latest
      CROSS JOIN main.past AS previous ON previous.client = latest.client
      AND previous.superseded = latest.id AND previous.ended = latest.id
      JOIN check_present AS b ON b.client = previous.client AND b.material = previous.material
      WHERE latest.previous_state = 'loaded' AND (b.value <> previous.value OR b.unit <> previous.unit);
    -- The orders that balances name, one by one.
    CREATE TEMP TABLE check_order (orders TEXT, name TEXT, PRIMARY KEY (orders, name)) WITHOUT ROWID;
    INSERT OR IGNORE INTO check_order
      SELECT orders, json_each.value FROM (SELECT DISTINCT orders FROM check_present WHERE orders <> '')
      JOIN json_each('[' || replace(json_quote(orders), ' ', '","') || ']')`);
  fillLikeness(db);
};

export const dropCheckTables = (db: DatabaseSync) => {
  const find = db.prepare(`
    SELECT format('DROP %s temp.%s', type, name) AS sql FROM temp.sqlite_schema
    WHERE tbl_name GLOB 'check_*' AND type <> 'index' ORDER BY type = 'table'`);
  for (const { sql } of rowsOf<{ sql: string }>(find)) db.exec(sql);
};
