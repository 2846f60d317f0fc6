import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { lateFromOf } from '../../../shared/clients/lateness.ts';
import { stateOf } from '../../clients/state-of.ts';
import { fold } from '../look-alikes.ts';
import { finderOf } from '../search.ts';
import { addExactFunctions } from './exact.ts';
import { countResets, moveChecked, readVersion, writeMeta, writeNextVersion } from './meta.ts';
import { rowsOf } from './rows.ts';
import { removeStockFile, SCHEMA } from './stock-file.ts';

const LOCKED_FOR_MS = 60_000;

/** Opens a file for writing, or creates it. Replaces a file that SQLite cannot read. */
export const openStock = (file: string) => {
  try {
    return open(file);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    removeStockFile(file);
    return open(file);
  }
};

/** The file is a database of another program. */
class ForeignFile extends Error {}

/** SQLite's errors CORRUPT and NOTADB. */
const NOT_READABLE = new Set([11, 26]);

export const isUnusable = (error: unknown) => {
  if (error instanceof ForeignFile) return true;
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false;
  // The other bits are details of the same error.
  return NOT_READABLE.has(error.errcode & 0xff);
};

export const openForReading = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCKED_FOR_MS });
  setUp(db);
  return db;
};

/** Sets up a new connection, with the functions that queries use. */
export const setUp = (db: DatabaseSync) => {
  db.exec('PRAGMA temp_store = MEMORY');
  addExactFunctions(db);
  addLateness(db);
  db.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))));
  let last = { search: '', isFound: finderOf('') };
  db.function('found', { deterministic: true }, (search, text, value) => {
    if (search !== last.search) last = { search: String(search), isFound: finderOf(String(search)) };
    return Number(last.isFound(String(text ?? ''), value));
  });
};

/**
 * `late_from(item, last_batch_at)` and `state_of(item, late_from, at)`, for `item` of the table `client` and times in milliseconds. Nobody
 * can read the hours of silence of a damaged client, whose item is {}. Before a client was added, it has no state.
 */
const addLateness = (db: DatabaseSync) => {
  db.function('late_from', { deterministic: true }, (item, lastBatchAt) => {
    const client = JSON.parse(String(item));
    return client.SilenceFrom ? (lateFromOf(client, Number(lastBatchAt)) ?? null) : null;
  });
  db.function('state_of', { deterministic: true }, (item, lateFrom, at) => {
    const client = JSON.parse(String(item));
    return Date.parse(client.CreatedAt) > Number(at) ? null : stateOf({ ...client, lateFrom }, Number(at));
  });
};

const open = (file: string) => {
  // SQLite would make a new file that all users can read.
  if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: LOCKED_FOR_MS });
  // A crash may lose the last write, which can be read from the service again. Writes change pages all over the file.
  db.exec(
    'PRAGMA page_size = 32768; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536',
  );
  setUp(db);
  // Another process may create the tables at the same time.
  inTransaction(db, () => {
    const tables = rowsOf<{ name: string }>(db.prepare('SELECT name FROM sqlite_schema'));
    if (tables.length === 0) return db.exec(SCHEMA);
    if (!tables.some(({ name }) => name === 'meta')) throw new ForeignFile();
  });
  return db;
};

/** Removes all rows. The file stays, because other processes may have it open. */
export const emptyStock = (db: DatabaseSync) =>
  changeStock(db, () => {
    const tables = rowsOf<{ name: string }>(
      db.prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'meta'`),
    );
    for (const { name } of tables) db.exec(`DELETE FROM main.${name}`);
    db.exec(`DELETE FROM meta WHERE name IN ('checked', 'refusals_read_at')`);
    writeMeta(db, 'resets', countResets(db) + 1);
  });

/** Makes the next load read all batches and changes again. Until then, the old ones stay. */
export const askForAll = (db: DatabaseSync) =>
  changeStock(db, () => {
    db.exec(`
      UPDATE client SET known_since = NULL, older_since = NULL, older_until = NULL;
      DELETE FROM change`);
    writeMeta(db, 'resets', countResets(db) + 1);
  });

/**
 * Runs `work` in a transaction. If a row changes, the same transaction writes a new version, because the process may be killed after it.
 * If no finding depends on the change, the findings are those of the new version, too.
 */
export const changeStock = <T>(db: DatabaseSync, work: () => T, { changesFindings = true } = {}): T =>
  inTransaction(db, () => {
    const [before, version] = [countChanges(db), readVersion(db)];
    const result = work();
    if (countChanges(db) === before) return result;
    writeNextVersion(db);
    if (!changesFindings) moveChecked(db, version);
    return result;
  });

const countChanges = (db: DatabaseSync) =>
  rowsOf<{ changes: number }>(db.prepare('SELECT total_changes() AS changes'))[0]?.changes;

/** Does all of the work or nothing. `BEGIN IMMEDIATE` waits while another process writes. `BEGIN` is enough for work that only reads. */
export const inTransaction = <T>(db: DatabaseSync, work: () => T, begin = 'BEGIN IMMEDIATE'): T => {
  db.exec(begin);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};
