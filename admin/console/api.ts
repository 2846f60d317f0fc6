import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { ClientStatus } from '../clients/client-status.ts';
import type { Kind } from '../import/table-columns.ts';
import type { RowChange } from '../lists/plan-import.ts';

/** The response to a failed request. The message says what happened and what to do. */
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

/** An admin's change to a row. `cells` has the changed attributes only. An empty text removes an attribute. */
export type RowEdit = {
  kind: RowChange['kind'];
  identifier: string;
  cells: (ListColumn & { text: string })[];
};

type Counts = Record<RowChange['kind'], number>;

/** The changes of an import or of edits. The server keeps a plan for a while and writes it at most once. */
export type Plan = Counts & {
  id: string;
  /** Rows of the file that the list already has. */
  unchanged: number;
  warnings: string[];
  /** Only the first changes. */
  changes: {
    kind: RowChange['kind'];
    identifier: string;
    attribute: string;
    before: string;
    after: string;
  }[];
};

/** `conflicts` are rows that somebody else changed after the plan was made. They were not written. */
export type Written = Counts & { conflicts: string[] };

export type ClientList = { clients: ClientStatus[]; notices: string[]; plans: string[] };

/** What an admin hands over to a warehouse. The only response with a password. */
export type Access = { userName: string; password: string; baseUrl: string };

/** With a question, nothing is changed yet. */
export type Changed = { question: string } | { question?: undefined; message: string; access?: Access };
