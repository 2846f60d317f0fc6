import type { DatabaseSync } from 'node:sqlite';
import { FOREVER } from '../database/balance-rows.ts';
import { rowsOf } from '../database/rows.ts';
import { simplifyUnit } from '../look-alikes.ts';
import { isLateWithoutBatch } from '../queries/lateness.ts';
import { fillLikeness } from './likeness/likeness.ts';

/** The stock to check: at a moment or the latest, of one client or of all warehouses. */
export type CheckScope = { at?: number | undefined; client?: string | undefined };

/** Attributes in which an admin may keep the unit of a material. */
const UNIT_ATTRIBUTES = ['StockBalanceUnit', 'Unit'];
const listedUnit = (result: (attribute: string) => string) =>
  `CASE ${UNIT_ATTRIBUTES.map((name) => `WHEN json_type(attributes, '$.${name}') = 'text' THEN ${result(name)}`).join(' ')} END`;

/** If only the newest batches are listed, unknown batches may lie between the previous batch and an older one. */
const LAST_BEFORE_GAP = `(
  SELECT max(instant) FROM main.batch AS older WHERE older.client = client.id AND older.instant < latest.instant
  AND (older.state = 'unread' OR (NOT has_all_batches AND older.instant < previous.instant))
)`;

const presentIn = (balances: string) => `
  SELECT b.* FROM check_latest AS latest CROSS JOIN ${balances} ON b.client = latest.client
  AND b.superseded > latest.instant AND b.begun <= latest.instant AND b.ended > latest.instant`;

/** The checks select from these tables. The tables are temporary, so a connection that only reads can have them. */
export const createCheckTables = (db: DatabaseSync, { at = FOREVER, client }: CheckScope) => {
  db.function('simplify_unit', { deterministic: true }, (unit) => simplifyUnit(String(unit)));
  // For each warehouse, the latest batch that is loaded or damaged, and the batch before it, in any state. `earliest` is the first
  // batch of those that are loaded without a gap. With `has_gap`, there may be batches before it that are not loaded.
  db.exec(`
    CREATE TEMP TABLE check_batch (
      client INTEGER PRIMARY KEY, name TEXT, is_late_without_batch INTEGER, has_gap INTEGER, earliest INTEGER,
      instant INTEGER, id TEXT, state TEXT, damage TEXT, entries INTEGER,
      previous INTEGER, previous_id TEXT, previous_state TEXT, previous_damage TEXT, previous_entries INTEGER
    );
    -- The latest batches that are loaded, and two views of their balances: one to read all balances, one to look up a material.
    CREATE TEMP VIEW check_latest AS SELECT * FROM check_batch WHERE state = 'loaded';
    CREATE TEMP VIEW check_present AS ${presentIn('main.balance AS b')};
    CREATE TEMP VIEW check_of_material AS ${presentIn('main.balance AS b INDEXED BY balance_of_material')}`);
  db.prepare(`
    INSERT INTO check_batch
    SELECT client.id, client.name, ${isLateWithoutBatch(':now')}
      AND NOT EXISTS (SELECT 1 FROM main.batch WHERE batch.client = client.id AND batch.instant <= :at),
      NOT has_all_batches OR ${LAST_BEFORE_GAP} IS NOT NULL,
      (
        SELECT min(instant) FROM main.batch
        WHERE batch.client = client.id AND batch.state = 'loaded' AND batch.instant > ifnull(${LAST_BEFORE_GAP}, -1)
      ),
      latest.instant, latest.snapshot_id, latest.state, latest.damage, latest.entries,
      previous.instant, previous.snapshot_id, previous.state, previous.damage, previous.entries
    FROM main.client
    LEFT JOIN main.batch AS latest ON latest.client = client.id AND latest.instant = (
      SELECT max(instant) FROM main.batch
      WHERE batch.client = client.id AND batch.instant <= :at AND batch.state <> 'unread'
    )
    LEFT JOIN main.batch AS previous ON previous.client = client.id AND previous.instant = (
      SELECT max(instant) FROM main.batch WHERE batch.client = client.id AND batch.instant < latest.instant
    )
    WHERE iif(:client IS NULL, client.is_warehouse, client.name = :client)`).run({
    at,
    now: Math.min(at, Date.now()),
    client: client ?? null,
  });
  db.exec(`
    -- Materials that have a last known balance. The column sender_count counts the latest batches that have the material.
    CREATE TEMP TABLE check_known (
      material INTEGER PRIMARY KEY, sender_count INTEGER, sender INTEGER,
      least_unit INTEGER, greatest_unit INTEGER, left_out INTEGER
    );
    INSERT INTO check_known
      SELECT material, sum(ended > instant), max(iif(ended > instant, b.client, NULL)),
        min(iif(ended > instant, unit, NULL)), max(iif(ended > instant, unit, NULL)), max(iif(ended > instant, NULL, ended))
      FROM check_latest AS latest CROSS JOIN main.balance AS b
      ON b.client = latest.client AND b.superseded > latest.instant AND b.begun <= latest.instant
      GROUP BY material;
    -- The list of material codes, with its units.
    CREATE TEMP TABLE check_listed (material INTEGER PRIMARY KEY, attribute TEXT, unit_name TEXT, unit INTEGER);
    INSERT INTO check_listed
      SELECT listed.material, attribute, unit_name, ifnull(iif(unit_name IS NULL, -1, (
        SELECT id FROM main.unit WHERE name = unit_name
      )), -1)
      FROM (
        SELECT material.id AS material, ${listedUnit((name) => `'${name}'`)} AS attribute,
          ${listedUnit((name) => `attributes ->> '$.${name}'`)} AS unit_name
        FROM main.list_row JOIN main.material USING (sort_key) WHERE list = 'MaterialCodes'
      ) AS listed;
    -- Balances that differ between the latest batch and the previous batch.
    CREATE TEMP TABLE check_differs (
      client INTEGER, material INTEGER, value REAL, mantissa INTEGER, exponent INTEGER, unit INTEGER,
      previous_value REAL, previous_mantissa INTEGER, previous_exponent INTEGER, previous_unit INTEGER,
      PRIMARY KEY (client, material)
    ) WITHOUT ROWID;
    INSERT INTO check_differs
      SELECT b.client, b.material, b.value, b.mantissa, b.exponent, b.unit,
        previous.value, previous.mantissa, previous.exponent, previous.unit
      FROM check_latest AS latest
      CROSS JOIN main.balance AS previous ON previous.client = latest.client
      AND previous.superseded = latest.instant AND previous.ended = latest.instant
      CROSS JOIN main.balance AS b INDEXED BY balance_of_material
      ON b.client = previous.client AND b.material = previous.material AND b.begun = latest.instant
      WHERE latest.previous_state = 'loaded' AND (b.value <> previous.value OR b.unit <> previous.unit);
    -- The orders that balances name, one by one.
    CREATE TEMP TABLE check_order (orders INTEGER, name TEXT, PRIMARY KEY (orders, name)) WITHOUT ROWID;
    INSERT OR IGNORE INTO check_order
      SELECT orders.id, json_each.value FROM (SELECT DISTINCT orders FROM check_present) AS named
      JOIN main.orders ON orders.id = named.orders
      JOIN json_each('[' || replace(json_quote(orders.name), ' ', '","') || ']') WHERE orders.name <> ''`);
  fillLikeness(db);
};

export const dropCheckTables = (db: DatabaseSync) => {
  const find = db.prepare(`
    SELECT format('DROP %s temp.%s', type, name) AS sql FROM temp.sqlite_schema
    WHERE tbl_name GLOB 'check_*' AND type <> 'index'`);
  for (const { sql } of rowsOf<{ sql: string }>(find)) db.exec(sql);
};

/** The first batch of the unbroken series of rows that ends with `b`, or the earliest batch if the first one has expired. In `inCommon`, the row before each row is `earlier`. */
export const firstBatchOf = (inCommon = 'TRUE') => `max((
    SELECT max(start.begun) FROM main.balance AS start INDEXED BY balance_of_material
    WHERE start.client = b.client AND start.material = b.material AND start.begun <= b.begun AND NOT EXISTS (
      SELECT 1 FROM main.balance AS earlier INDEXED BY balance_of_material
      WHERE earlier.client = b.client AND earlier.material = b.material AND earlier.ended = start.begun AND ${inCommon}
    )
  ), (SELECT earliest FROM check_batch WHERE check_batch.client = b.client))`;
