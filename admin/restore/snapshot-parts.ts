import { isOfExpired, laterPartsFirst } from '../../shared/snapshot.ts';
import type { Item, Selection } from '../../shared/store/table-pages.ts';
import type { TableName } from '../../shared/table-names.ts';

/** In which order a table is put back. */
export const passesOf = (table: TableName): readonly Selection[] =>
  table === 'BalanceSnapshots' ? laterPartsFirst : [undefined];

/** No reader would see it, and the platform would remove it again. */
export const hasExpired = (table: TableName, { Client, ExpiresAt }: Item, now: Date) =>
  table === 'BalanceSnapshots' &&
  ExpiresAt?.N !== undefined &&
  isOfExpired(Client?.S ?? '', { expiresAt: new Date(Number(ExpiresAt.N) * 1_000) }, now);
