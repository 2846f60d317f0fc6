import type { DatabaseSync } from 'node:sqlite';
import { listNames } from '../../../shared/tables.ts';
import { readMeta, readVersion, refusalFailure } from '../../stock/database/meta.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import { findKnownSince, warehousesOf } from '../../stock/queries/choices.ts';
import { describeDamage, historyFailure, historySince } from '../../stock/queries/lists-at.ts';

/** How many of the service's batches the stock has. */
export const readStockState = (db: DatabaseSync) => ({
  version: readVersion(db),
  share: readMeta<number>(db, 'share') ?? 0,
  knownSince: findKnownSince(db, warehousesOf(db)),
  isFirstRead: readMeta(db, 'checked') === undefined,
  hasGap:
    rowsOf(db.prepare('SELECT 1 FROM client WHERE is_warehouse AND older_until IS NOT NULL')).length > 0,
  lists: listNames.map((list) => {
    const since = historySince(db, list);
    return { list, since: since === null ? null : Date.parse(since) };
  }),
  damage: listNames.flatMap((list) => describeDamage(db, list)),
  ...(historyFailure(db) ? { historyFailure: historyFailure(db) } : {}),
  ...(refusalFailure(db) ? { refusalFailure: refusalFailure(db) } : {}),
});
