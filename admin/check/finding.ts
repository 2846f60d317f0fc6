import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { CatalogRow } from '../../shared/storage/catalog.ts';

/** Every kind of finding, in words. They are told in this order: what is likely to be the cause of others comes first. */
export const kinds = {
  'damaged-snapshot': 'snapshots that cannot be read whole',
  'no-snapshot': 'clients that have sent no snapshot',
  'look-alike': 'different codes that look the same',
  'case-differs': 'codes that differ in upper and lower case alone',
  'unlisted-code': 'codes with a balance that the list lacks',
  'no-balance': 'codes of the list without a balance',
  'unlisted-order': 'purchase orders that a balance names and the list lacks',
  'unused-order': 'purchase orders of the list that no balance names',
  'unit-differs': 'units that differ',
} as const;

export type Kind = keyof typeof kinds;

/** What is wrong, and what to do. The client is empty where the finding is of no single one. */
export type Finding = { kind: Kind; client: string; subject: string; detail: string };

/** The unit of each material code. */
export type Units = ReadonlyMap<string, string>;

/** The latest snapshot of a client; of the one before it, no more is compared than the units. */
export type Latest = {
  client: string;
  entries: readonly StockBalanceEntry[];
  previous?: Units | undefined;
};

export type Compared = {
  codes: readonly CatalogRow[];
  orders: readonly string[];
  latest: readonly Latest[];
};
