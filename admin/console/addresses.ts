import * as v from 'valibot';
import { Filter } from '../stock/queries/filter.ts';
import { tableNames } from '../stock/tables/tables.ts';
import { PAGE_ROWS } from './api.ts';

const MAX_ROWS = 500;
const WRONG_PAGE = 'Ask for a page from 1 on.';
const WRONG_LIMIT = `Ask for 1 to ${MAX_ROWS} rows.`;

const numberFrom1 = (message: string, max = 1e9) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/, message), v.transform(Number), v.maxValue(max, message));

const rows = {
  sort: v.optional(v.string()),
  page: v.optional(numberFrom1(WRONG_PAGE), '1'),
  limit: v.optional(numberFrom1(WRONG_LIMIT, MAX_ROWS), String(PAGE_ROWS)),
};

/** An address without `at` shows the latest stock. */
export const MomentAddress = v.pick(Filter, ['at']);
export type MomentAddress = v.InferOutput<typeof MomentAddress>;

export const TableAddress = v.object({
  table: v.picklist(tableNames, 'There is no table of this name.'),
  ...Filter.entries,
  ...rows,
});
export type TableAddress = v.InferOutput<typeof TableAddress>;

/** A query that a person wrote. `parameters` are the values of `:name` in the query. */
export const QueryAddress = v.object({
  ...MomentAddress.entries,
  sql: v.optional(v.string(), ''),
  parameters: v.record(v.string(), v.string()),
  ...rows,
});
export type QueryAddress = v.InferOutput<typeof QueryAddress>;

/** What the page writes into the address of a table or a query, before the console checks it. */
export type AddressTexts = {
  readonly [TName in
    | keyof v.InferInput<typeof TableAddress>
    | keyof v.InferInput<typeof QueryAddress>
    | `:${string}`]?: string | null | undefined;
};

const WRONG_STARTS = 'Write the starts of at most 100 days in milliseconds.';

export const ArrivalsAddress = v.object(
  {
    ...MomentAddress.entries,
    starts: v.pipe(
      v.string(),
      v.regex(/^\d{1,15}(,\d{1,15}){0,99}$/, WRONG_STARTS),
      v.transform((text) => text.split(',').map(Number)),
    ),
  },
  WRONG_STARTS,
);
export type ArrivalsAddress = v.InferOutput<typeof ArrivalsAddress>;

export const MaterialAddress = v.object({ ...MomentAddress.entries, material: v.string() });
export type MaterialAddress = v.InferOutput<typeof MaterialAddress>;
