import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../shared/time.ts';
import { readMessage } from '../../messages/write-message.ts';
import { findUses, type UsesQuestion } from '../../review/find-uses.ts';
import { showFindingsOf, showKeptFindings } from '../../stock/checks/show-findings.ts';
import { readVersion } from '../../stock/database/meta.ts';
import { findKnownSince, warehousesOf } from '../../stock/queries/choices.ts';
import { estimateOlder } from '../../stock/queries/estimate-older.ts';
import type { Filter } from '../../stock/queries/filter.ts';
import { type Cell, countRows, readRows } from '../../stock/queries/read-table.ts';
import { readArrivals } from '../../stock/tables/arrivals.ts';
import { readMaterial } from '../../stock/tables/material.ts';
import { type StockTableName, tableQuery } from '../../stock/tables/tables.ts';
import { countFindings, readKinds, readWork } from '../../stock/tables/work.ts';
import { Failure } from '../../text/failure.ts';
import type { ArrivalsAddress, MaterialAddress, MomentAddress, TableAddress } from '../addresses.ts';
import type { OlderBatches, TableCount, TablePage } from '../api.ts';

const YEAR_MS = 365 * DAY_MS;

/** What the pages of the console ask of the stock. `open` returns the same connection each time. */
export const createReaders = (open: () => DatabaseSync) => ({
  page: (address: TableAddress) => readPage(open(), address),
  count: (address: TableAddress): TableCount => {
    const [db, query] = [open(), queryOf(open(), address)];
    const total = address.table === 'findings' ? { total: countFindings(db, query) } : {};
    return { count: countRows(db, query), ...total };
  },
  arrivals: (address: ArrivalsAddress) => readArrivals(open(), address),
  kinds: (address: Filter) => {
    switchMoment(open(), address);
    return readKinds(open(), address);
  },
  work: (address: MomentAddress) => {
    switchMoment(open(), address);
    return readWork(open(), address);
  },
  older: (address: MomentAddress) => estimateOlderThan(open(), address),
  material: (address: MaterialAddress) => readMaterial(open(), address),
  message: ({ client }: { client: string }) => {
    switchMoment(open(), { at: undefined });
    return readMessage(open(), client) ?? null;
  },
  uses: (question: UsesQuestion) => findUses(open(), question),
});
export type Readers = ReturnType<typeof createReaders>;

/** Before a moment of the past that is not read, or of the last year. Null if there are none. */
const estimateOlderThan = (db: DatabaseSync, { at }: MomentAddress): OlderBatches | null => {
  const now = new Date();
  const moment = at === undefined ? now.getTime() : Date.parse(at);
  const clients = warehousesOf(db);
  const since = moment < (findKnownSince(db, clients) ?? 0) ? moment : now.getTime() - YEAR_MS;
  const estimate = estimateOlder(db, { clients, since: new Date(since), now });
  return estimate ? { since, ...estimate } : null;
};

/** The moment whose findings a connection has, and the version of the stock. A new connection has the findings of the latest stock. */
const shown = new WeakMap<DatabaseSync, string>();

/** Checks the stock as of the moment in an address. A check takes a while, so only requests that need findings call this. */
const switchMoment = (db: DatabaseSync, { at }: MomentAddress) => {
  const wanted = at === undefined ? '' : `${at} ${readVersion(db)}`;
  if ((shown.get(db) ?? '') === wanted) return;
  // If the check fails midway, the next request checks again.
  shown.set(db, 'nothing');
  if (at === undefined) showKeptFindings(db);
  else showFindingsOf(db, { at });
  shown.set(db, wanted);
};

const WITH_FINDINGS: readonly StockTableName[] = ['findings', 'warehouses'];

export const queryOf = (db: DatabaseSync, address: TableAddress) => {
  const { table, sort, finding } = address;
  if (WITH_FINDINGS.includes(table) || finding !== undefined) switchMoment(db, address);
  const query = tableQuery(db, table, address);
  checkSort(query, sort);
  return query;
};

const readPage = (db: DatabaseSync, address: TableAddress): TablePage => {
  const query = queryOf(db, address);
  const { sort, limit } = address;
  const { usualSort } = query;
  const columns = query.columns.map(({ sql, sortSql, ...shown }) => shown);
  const read = (first: number) => readRows(db, query, { sort, offset: first, limit: limit + 1 });
  return { ...toPage(columns, address, read), usualSort };
};

/** `read` returns the rows from an index on, one more than the limit, so that the page can say whether rows follow. */
export const toPage = (
  columns: TablePage['columns'],
  { page, limit }: Pick<TableAddress, 'page' | 'limit'>,
  read: (first: number) => Cell[][],
): TablePage => {
  const first = (page - 1) * limit;
  const rows = read(first);
  return { columns, rows: fitTexts(columns, rows.slice(0, limit)), first, hasMore: rows.length > limit };
};

const MAX_PAGE_BYTES = 1_000_000;

const fitTexts = (columns: TablePage['columns'], rows: Cell[][], maxLength = 100_000): Cell[][] => {
  if (maxLength < 10 || Buffer.byteLength(JSON.stringify(rows)) < MAX_PAGE_BYTES) return rows;
  const cut = (cell: Cell, index: number) =>
    columns[index]?.kind === 'text' && typeof cell === 'string' && cell.length > maxLength
      ? `${cell.slice(0, maxLength)}…`
      : cell;
  const cutRows = rows.map((row) => row.map(cut));
  return fitTexts(columns, cutRows, maxLength / 10);
};

export const checkSort = (
  { columns }: { columns: readonly { name: string }[] },
  sort: string | undefined,
) => {
  if (sort === undefined || columns.some(({ name }) => name === sort.replace(/^-/, ''))) return;
  throw new Failure(
    `The table has no column ${sort.slice(0, 100)} to sort by. Click the heading of a column.`,
  );
};
