import { isOfExpiredSnapshot, restorePasses } from '../../shared/storage/snapshot.ts';
import type { TableName } from '../../shared/tables.ts';
import type { Item, Selection } from '../store/scan-pages.ts';

/** In which order a table is put back. */
export const passesOf = (table: TableName): readonly Selection[] =>
  table === 'BalanceSnapshots' ? restorePasses : [undefined];

/** No reader would see it, and the platform would remove it again. */
export const hasExpired = (table: TableName, { Client, ExpiresAt }: Item, now: Date) =>
  table === 'BalanceSnapshots' &&
  ExpiresAt?.N !== undefined &&
  isOfExpiredSnapshot(Client?.S ?? '', { expiresAt: new Date(Number(ExpiresAt.N) * 1_000) }, now);
