import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { Filter } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';
import { balancesQuery, totalsQuery } from './balances.ts';
import { batchesQuery, entriesQuery } from './batches.ts';
import { changesQuery } from './changes.ts';
import { clientsQuery } from './clients.ts';
import { differencesQuery } from './differences.ts';
import { findingsQuery } from './findings.ts';
import { historyQuery, sentBalancesQuery } from './history.ts';
import { listQuery } from './lists.ts';
import { warehousesQuery } from './warehouses.ts';

/** What a URL or a command says about a table. All values are texts, as in a URL. */
export type TableFilter = Readonly<Record<string, string>>;

const fromTexts =
  (build: (db: DatabaseSync, filter: Filter) => TableQuery) => (db: DatabaseSync, filter: TableFilter) =>
    build(db, v.parse(Filter, filter));

/** Every table of the console, the commands and the report. */
export const tableQueries = {
  balances: fromTexts(balancesQuery),
  totals: fromTexts(totalsQuery),
  history: fromTexts(historyQuery),
  sentBalances: fromTexts(sentBalancesQuery),
  batches: fromTexts(batchesQuery),
  entries: fromTexts(entriesQuery),
  differences: fromTexts(differencesQuery),
  changes: fromTexts(changesQuery),
  findings: fromTexts(findingsQuery),
  warehouses: fromTexts(warehousesQuery),
  clients: fromTexts(clientsQuery),
  codes: fromTexts((db, filter) => listQuery(db, 'MaterialCodes', filter)),
  orders: fromTexts((db, filter) => listQuery(db, 'PurchaseOrders', filter)),
} as const;

export type StockTableName = keyof typeof tableQueries;
