import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { CatalogName } from '../../shared/tables.ts';
import type { Kind } from '../import/table-columns.ts';

/** The answer to a request that failed: what happened, and what to do. */
export type Problem = { message: string };

export type Batch = {
  client: string;
  snapshotId: string;
  receivedAt: number;
  requestId: string;
  entries: StockBalanceEntry[];
};

/** A list as a table of texts. A missing attribute is null. */
export type ListTable = {
  name: CatalogName;
  key: string;
  columns: { name: string; kind: Kind }[];
  rows: { identifier: string; cells: (string | null)[] }[];
};

/** Changes that an admin made in the page. `cells` has the changed attributes only, by the titles of an import. */
export type RowEdit =
  | { identifier: string; cells: Record<string, string | null> }
  | { identifier: string; isRemoved: true };

/** What an import or an edit would change. The server keeps it until it is confirmed. */
export type Plan = {
  id: string;
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  warnings: string[];
  /** The first of all changes. */
  changes: { kind: string; identifier: string; attribute?: string; before?: string; after?: string }[];
};

/** `conflicts` are rows that somebody else has changed meanwhile. They were not written. */
export type Written = { written: number; conflicts: string[] };

export type ClientStatus = {
  name: string;
  username: string;
  /** The secret holds no valid credentials, so the client cannot sign in. */
  isDamaged: boolean;
  passwordChangedAt: number;
  previousValidUntil: number | null;
  lastSnapshotAt: number | null;
  lastChangeAt: number | null;
  silenceHours: number | null;
};

/** The only answer with a password. */
export type Rotated = { password: string; client: ClientStatus };
