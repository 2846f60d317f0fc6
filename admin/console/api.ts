import type { writeChanges } from '../lists/history/write-changes.ts';
import type { ChangeCounts, ChangeKind } from '../lists/plan/row-change.ts';
import type { readMessage } from '../messages/write-message.ts';
import type { readChoices } from '../stock/queries/choices.ts';
import type { Estimate } from '../stock/queries/estimate-older.ts';
import type { readStockState } from '../stock/queries/read-state.ts';
import type { Cell, TableColumn as StockColumn } from '../stock/queries/read-table.ts';
import type { NamedQuery } from '../stock/sql/named-queries.ts';
import type { readViews } from '../stock/sql/views.ts';
import type { readArrivals } from '../stock/tables/arrivals.ts';
import type { readMaterial } from '../stock/tables/material.ts';
import type { readKinds, Work } from '../stock/tables/work.ts';
import type { Marked } from '../text/marked.ts';

/** The body of an error response. The message says what happened and what to do. */
export type ErrorMessage = { message: string };

/** The value of an attribute before or after a change. `number` has all digits of a number. */
export type ShownValue = string | { number: string };

/** What a list plan would write. The console keeps the plan for a while and writes it at most once. */
export type PlanReview = ChangeCounts & {
  id: string;
  notices: string[];
  /** A person has to accept them before a write. */
  warnings: Marked[];
  /** The first changes, not all. */
  changes: {
    kind: ChangeKind;
    identifier: string;
    attribute: string;
    before: ShownValue;
    after: ShownValue;
  }[];
};

/** `conflicts` names the rows that were not written, because somebody else changed them after the review. */
export type WriteResult = Omit<Awaited<ReturnType<typeof writeChanges>>, 'summary'>;

/** Notices about clients that need attention, and the plans that a client can have. */
export type ClientNotices = { notices: string[]; plans: string[]; damaged: string[] };

/** What an admin hands over to a warehouse. No other response has a password. */
export type Login = { userName: string; password: string; baseUrl: string };

/** A question asks to confirm the change. A message says what was changed. */
export type ClientResponse = { question: string } | { question?: undefined; message: string; login?: Login };

/** How far the stock has been read. The page asks for it again and again. */
export type StockState = ReturnType<typeof readStockState> & {
  /** The name of the deployment for people. */
  deploymentName: string;
  /** The moment that the page shows, in milliseconds. */
  asOf: number;
  /** About how long the rest takes. */
  minutesLeft?: number;
  /** Why the service could not be read again. */
  failure?: string;
};

/** What it takes to read older batches: back to the moment that the page shows, or of a year. */
export type OlderBatches = Estimate & { since: number };

export type TableColumn = Omit<StockColumn, 'sql' | 'sortSql'>;

/** The rows of a page, unless the address says how many. */
export const PAGE_ROWS = 100;

export type TablePage = {
  columns: TableColumn[];
  rows: Cell[][];
  /** The number of rows before the page. */
  first: number;
  hasMore: boolean;
  /** The column that sorts until a person chooses another one, with - for a descending order. A query has its own order. */
  usualSort?: string;
};

/** A finding may stand for many, so findings also have a total. */
export type TableCount = { count: number; total?: number };

export type Choices = ReturnType<typeof readChoices>;
export type Kinds = ReturnType<typeof readKinds>;
/** The version of the mark, for the next one. */
export type TellResult = { version: number };

export type { Work };
export type Arrivals = ReturnType<typeof readArrivals>;
export type Material = ReturnType<typeof readMaterial>;
/** The history of a material in one warehouse and one unit. */
export type MaterialLine = Material['lines'][number];

export type ClientMessage = NonNullable<ReturnType<typeof readMessage>> & { readAt: string };

export type QueryHelp = { views: ReturnType<typeof readViews>; queries: NamedQuery[] };
