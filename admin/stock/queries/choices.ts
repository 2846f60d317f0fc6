import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { WAREHOUSES } from './filter.ts';

const namesIn = (db: DatabaseSync, from: string) =>
  rowsOf<{ name: string }>(db.prepare(`SELECT name FROM ${from} ORDER BY name`)).map(({ name }) => name);

export const warehousesOf = (db: DatabaseSync) => namesIn(db, WAREHOUSES);

export const readChoices = (db: DatabaseSync) => ({
  warehouses: warehousesOf(db),
  units: namesIn(db, `(SELECT text AS name FROM word WHERE kind = 'unit')`),
});

/** The kinds of the findings of the moment, and how many findings each has. */
export const readKinds = (db: DatabaseSync) =>
  rowsOf<{ kind: string; severity: string; count: number }>(
    db.prepare(
      'SELECT kind, severity, sum(count) AS count FROM finding GROUP BY kind, severity ORDER BY min(id)',
    ),
  );
