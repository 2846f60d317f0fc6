import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Kind } from '../import/table-columns.ts';
import type { RowChange } from '../lists/plan-import.ts';

/** The answer to a request that failed: what happened, and what to do. */
export type Problem = { message: string };

export type Batch = {
  client: string;
  snapshotId: string;
  receivedAt: number;
  requestId: string;
  entries: readonly StockBalanceEntry[];
};

/** `json` cells hold a value in JSON. */
export type ListColumn = { name: string; kind: Kind };

/** A list as a table of texts. A missing attribute is null. */
export type ListTable = {
  columns: ListColumn[];
  rows: { identifier: string; cells: (string | null)[] }[];
};

/** What an admin changed in a row. `cells` has the changed attributes only; an empty text removes one. */
export type RowEdit = {
  kind: RowChange['kind'];
  identifier: string;
  cells: (ListColumn & { text: string })[];
};

type Counts = Record<RowChange['kind'], number>;

/** What an import or edits would change. The server keeps it for a while, and it can be written once. */
export type Plan = Counts & {
  id: string;
  /** Rows of the file that are in the list already. */
  unchanged: number;
  warnings: string[];
  /** The first of all changes. */
  changes: {
    kind: RowChange['kind'];
    identifier: string;
    attribute: string;
    before: string;
    after: string;
  }[];
};

/** `conflicts` are rows that somebody else has changed since the plan. They were not written. */
export type Written = Counts & { conflicts: string[] };

export type ClientStatus = {
  name: string;
  username: string;
  /** The secret holds no valid credentials, so the client cannot sign in. */
  isDamaged: boolean;
  passwordChangedAt: number;
  previousValidUntil: number | null;
  /** How long the present password stays valid after a rotation. */
  overlapHours: number;
  lastSnapshotAt: number | null;
  lastChangeAt: number | null;
  silenceHours: number | null;
};

/** The only answer with a password. */
export type Rotated = { password: string; client: ClientStatus };
