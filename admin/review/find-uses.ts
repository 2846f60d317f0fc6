import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../shared/tables.ts';
import { FOREVER, rowsOf } from '../stock/database/rows.ts';
import type { Balance } from '../stock/database/write-balances.ts';
import { findOriginals } from '../stock/look-alikes.ts';
import { eachOrderOf } from '../stock/queries/columns.ts';
import { WAREHOUSES } from '../stock/queries/filter.ts';
import { MAX_WARNINGS_OF_KIND } from './changes.ts';

/** What only the balances can tell about a list plan. */
export type UsesQuestion = {
  list: ListName;
  lost: string[];
  units: Unit[];
  added: string[];
};
type Unit = { material: string; unit: string };

/** A balance in the latest batch of a warehouse. */
export type Use = Balance & { identifier: string; client: string };

type Batches = { count: number; first: string; last: string };

const IS_PRESENT = `b.ended = '${FOREVER}' AND b.client IN ${WAREHOUSES}`;

const USES: Record<ListName, string> = {
  MaterialCodes: 'SELECT b.material AS identifier, b.* FROM main.balance AS b',
  PurchaseOrders: `
    SELECT named.value AS identifier, b.* FROM main.balance AS b, ${eachOrderOf('b.orders')} AS named WHERE b.orders <> ''`,
};

/** `used` are all lost identifiers that are in use, and `uses` the balances of the first of them. `batches` says when the latest ones came. */
export const findUses = (db: DatabaseSync, { list, lost, units, added }: UsesQuestion) => {
  const [batches = { count: 0, first: '', last: '' }] = rowsOf<Batches>(
    db.prepare(`
      SELECT count(*) AS count, min(received_at) AS first, max(received_at) AS last FROM (
        SELECT received_at, max(id) FROM main.batch WHERE client IN ${WAREHOUSES} GROUP BY client
      )`),
  );
  const find = (columns: string, identifiers: readonly string[], order: string) => {
    const statement = db.prepare(`
      SELECT ${columns} FROM (${USES[list]}) AS b
      WHERE identifier IN (SELECT value FROM json_each(?)) AND ${IS_PRESENT} ORDER BY ${order}`);
    return rowsOf<Use>(statement, JSON.stringify(identifiers));
  };
  const used = find('DISTINCT identifier', lost, 'identifier').map(({ identifier }) => identifier);
  const shown = used.slice(0, MAX_WARNINGS_OF_KIND);
  const columns = 'identifier, client, material, value, unit, orders';
  const uses = find(columns, shown, 'identifier, client, material');
  const unusedUnits = units.length > 0 ? findUnusedUnits(db, units) : [];
  return { batches, used, uses, unusedUnits, alike: added.length > 0 ? findAlike(db, added) : [] };
};

export type Uses = ReturnType<typeof findUses>;

/** The new units that no balance of the material has. A material without balances may have any unit that another material has. Without any balance, no unit is wrong. */
const findUnusedUnits = (db: DatabaseSync, units: readonly Unit[]) => {
  const found = db.prepare(`
    WITH wanted AS MATERIALIZED (
      SELECT asked.value ->> 'material' AS material, asked.value ->> 'unit' AS unit, (
        SELECT json_group_array(DISTINCT b.unit ORDER BY b.unit) FROM main.balance AS b
        WHERE b.material = asked.value ->> 'material' AND ${IS_PRESENT}
      ) AS own
      FROM json_each(?) AS asked
    ), present AS MATERIALIZED (SELECT DISTINCT b.unit FROM main.balance AS b WHERE ${IS_PRESENT})
    SELECT * FROM wanted WHERE unit NOT IN (
      SELECT value FROM json_each(own) UNION ALL SELECT unit FROM present WHERE own = '[]'
    ) AND EXISTS (SELECT 1 FROM present)`);
  return rowsOf<Unit & { own: string }>(found, JSON.stringify(units)).map(
    ({ own, ...unit }): Unit & { ownUnits: string[] } => ({ ...unit, ownUnits: JSON.parse(own) }),
  );
};

/** The sent codes that look like a new one, also those in the list. A new code that is sent itself is right. */
const findAlike = (db: DatabaseSync, added: readonly string[]) => {
  const find = db.prepare(`
    SELECT text FROM main.word WHERE kind = 'material' AND EXISTS (
      SELECT 1 FROM main.balance AS b WHERE b.material = word.text AND ${IS_PRESENT}
    ) ORDER BY text`);
  const sent = new Set(rowsOf<{ text: string }>(find).map(({ text }) => text));
  const unsent = new Set(added).difference(sent);
  const senders = db.prepare(
    `SELECT client FROM main.balance AS b WHERE b.material = ? AND ${IS_PRESENT} ORDER BY client`,
  );
  const originals = findOriginals([...unsent], [...sent]);
  return [...sent].flatMap((code) => {
    const original = originals.get(code) ?? '';
    if (!unsent.has(original)) return [];
    const clients = rowsOf<{ client: string }>(senders, code).map(({ client }) => client);
    return [{ added: original, sent: code, clients }];
  });
};
