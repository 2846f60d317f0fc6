import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { WAREHOUSES } from './filter.ts';

const namesIn = (db: DatabaseSync, from: string) =>
  rowsOf<{ name: string }>(db.prepare(`SELECT name FROM ${from} ORDER BY name`)).map(({ name }) => name);

export const warehousesOf = (db: DatabaseSync) => namesIn(db, WAREHOUSES);

/** How people call the clients that have a display name. */
export const displayNamesIn = (db: DatabaseSync) =>
  rowsOf<{ name: string; shown: string }>(
    db.prepare(`SELECT name, item ->> 'DisplayName' AS shown FROM main.client WHERE shown <> ''`),
  ).map(({ name, shown }) => [name, shown] as const);

export const shownNameOf = (db: DatabaseSync, client: string) =>
  new Map(displayNamesIn(db)).get(client) ?? client;

export const readChoices = (db: DatabaseSync) => ({
  warehouses: warehousesOf(db),
  names: displayNamesIn(db),
  units: namesIn(db, `(SELECT text AS name FROM word WHERE kind = 'unit')`),
});

/**
 * From this time on, every batch of the clients is in the stock, in milliseconds. 0: all batches that the service has. Null: none has
 * been read of a client, or there is no client.
 */
export const findKnownSince = (db: DatabaseSync, clients: readonly string[]): number | null => {
  const [{ since } = { since: null }] = rowsOf<{ since: string | null }>(
    db.prepare(`
      SELECT iif(count(*) = count(known_since), max(known_since), NULL) AS since
      FROM client WHERE name IN (SELECT value FROM json_each(?))`),
    JSON.stringify(clients),
  );
  return since === null ? null : Date.parse(since.slice(0, 24)) || 0;
};
