import type { DatabaseSync } from 'node:sqlite';
import { listNames } from '../../../shared/tables.ts';
import { historyFailure, readMeta, readVersion, refusalFailure } from '../database/meta.ts';
import { rowsOf } from '../database/rows.ts';
import { findKnownSince, warehousesOf } from './choices.ts';
import { describeDamage, historySince } from './lists-at.ts';

/** How many of the service's batches the stock has. */
export const readStockState = (db: DatabaseSync) => ({
  /** It changes when a table may have changed. */
  version: readVersion(db),
  /** How much of the time to read has been read, from 0 to 1. */
  share: readMeta<number>(db, 'share') ?? 0,
  knownSince: findKnownSince(db, warehousesOf(db)),
  /** No read has come as far as the first check, so the stock may lack warehouses and their latest batches. */
  isFirstRead: readMeta(db, 'checked') === undefined,
  /** Batches between the newest and those of an earlier read are still missing. */
  hasGap:
    rowsOf(db.prepare('SELECT 1 FROM client WHERE is_warehouse AND older_until IS NOT NULL')).length > 0,
  /** The time from which on the history of each list is known, in milliseconds. Null without a history. */
  lists: listNames.map((list) => {
    const since = historySince(db, list);
    return { list, since: since === null ? null : Date.parse(since) };
  }),
  damage: listNames.flatMap((list) => describeDamage(db, list)),
  ...(historyFailure(db) ? { historyFailure: historyFailure(db) } : {}),
  ...(refusalFailure(db) ? { refusalFailure: refusalFailure(db) } : {}),
});
