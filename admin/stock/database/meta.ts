import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from './rows.ts';

/**
 * `checked` is the version of which the findings are, and `late` the number of late warehouses then. `restore` is the mark of the last restore, and
 * `restored_at` is when it was first seen. `resets` counts how often the next load was made to read all again. `share` is how much of the
 * time to read the last load has read. `history_failure` says why the history of the lists cannot be read, and `refusal_failure` why the
 * refused requests cannot. `refusals_read_at` is when they were last read.
 */
type MetaName =
  | 'version'
  | 'checked'
  | 'late'
  | 'restore'
  | 'restored_at'
  | 'loaded_at'
  | 'resets'
  | 'share'
  | 'history_failure'
  | 'refusal_failure'
  | 'refusals_read_at';

export const readMeta = <TValue>(db: DatabaseSync, name: MetaName) =>
  rowsOf<{ value: TValue }>(db.prepare('SELECT value FROM meta WHERE name = ?'), name)[0]?.value;

/** Why the history of the lists could not be read. Empty if it could. */
export const historyFailure = (db: DatabaseSync) => readMeta<string>(db, 'history_failure') ?? '';

/** Why the refused requests cannot be read. Empty if they can. */
export const refusalFailure = (db: DatabaseSync) => readMeta<string>(db, 'refusal_failure') ?? '';

export const countResets = (db: DatabaseSync) => readMeta<number>(db, 'resets') ?? 0;

export const writeMeta = (db: DatabaseSync, name: MetaName, value: string | number) =>
  db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);

/** Grows with each change of the file, so that a page knows when to load again. It is 0 before the first change. */
export const readVersion = (db: DatabaseSync) => readMeta<number>(db, 'version') ?? 0;

/** The first version is the time, because a new file must not repeat a version of the removed file. */
export const writeNextVersion = (db: DatabaseSync) =>
  db
    .prepare(
      `INSERT INTO meta VALUES ('version', ?) ON CONFLICT (name) DO UPDATE SET value = max(value + 1, excluded.value)`,
    )
    .run(Date.now());

/** The findings of a version are also those of the version that followed. */
export const moveChecked = (db: DatabaseSync, from: number) => {
  if (readMeta(db, 'checked') === from) writeMeta(db, 'checked', readVersion(db));
};
