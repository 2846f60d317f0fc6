import type { RowEdit } from '../lists/plan/read-edits.ts';
import type { ChangeCounts, ChangeKind } from '../lists/plan/row-change.ts';

export type { RowEdit };

/** The response to a failed request. The message says what happened and what to do. */
export type ErrorMessage = { message: string };

/** A number has all its digits. */
export type ShownValue = string | { number: string };

/** The changes of an import or of edits. The server keeps a plan for a while and writes it at most once. */
export type PlanReview = ChangeCounts & {
  id: string;
  /** Rows of the file that the list already has. */
  unchanged: number;
  notices: string[];
  /** Only the first changes. */
  changes: {
    kind: ChangeKind;
    identifier: string;
    attribute: string;
    before: ShownValue;
    after: ShownValue;
  }[];
};

/** `conflicts` are rows that somebody else changed after the plan was made. They were not written. */
export type Written = ChangeCounts & { conflicts: string[] };

/** What an admin should look at, and the plans to choose from. */
export type ClientAdvice = { notices: string[]; plans: string[] };

/** What an admin hands over to a warehouse. The only response with a password. */
export type Access = { userName: string; password: string; baseUrl: string };

/** With a question, nothing is changed yet. */
export type Changed = { question: string } | { question?: undefined; message: string; access?: Access };

/** The state of the stock, which a page asks for again and again. */
export type StockState = {
  /** The name of the deployment for people. */
  what: string;
  /** Changes when any table may have changed. */
  version: string;
  /** The end of what the page shows, in milliseconds. */
  asOf: number;
  /** Batches that are still to be read, of all that the service has. */
  missing: number;
  batches: number;
  /** All batches since then are read. Null before the first. */
  completeSince: number | null;
  /** Why the last refresh failed. */
  failure?: string;
};

/** `attribute`: the attribute of a list that it shows. */
export type TableColumn = {
  name: string;
  title: string;
  kind: 'text' | 'number' | 'time' | 'texts';
  attribute?: string | undefined;
};

/** Rows of a table around a place. `cursor` names the row for `after` and `before`. */
export type TableWindow = {
  columns: TableColumn[];
  rows: { cells: (string | number | null)[]; cursor: string }[];
  /** There are rows beyond the last one, in the direction of the request. */
  hasMore: boolean;
};

export type TableCount = { count: number };

/** What filters can choose from at a moment. */
export type Choices = {
  warehouses: string[];
  units: string[];
  kinds: { kind: string; severity: string; count: number }[];
};

/** The figures of the overview at a moment. `batches` are those of the last 30 days. */
export type Overview = {
  warehouses: number;
  late: number;
  batches: number;
  materials: number;
  findings: { error: number; warning: number; note: number };
};

/** The batches and changes of each warehouse between successive instants, and from the last one until the moment. */
export type Arrivals = { rows: { client: string; batches: number[]; changes: number[] }[] };

/** The history of a material in one warehouse and one unit. A point without a balance ends a line. */
export type MaterialLine = { client: string; unit: string; points: { at: number; balance: number | null }[] };

export type Material = {
  /** Null if the list of codes does not have it. */
  attributes: { name: string; value: string | number }[] | null;
  /** All digits. */
  totals: { unit: string; total: string }[];
  lines: MaterialLine[];
};

/** What may be queried. */
export type QueryHelp = {
  views: { name: string; columns: string }[];
  examples: { title: string; sql: string }[];
};
