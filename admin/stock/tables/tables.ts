import type { DatabaseSync } from 'node:sqlite';
import { keysOf } from '../../../shared/object-keys.ts';
import type { Filter } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';
import { balancesQuery, totalsQuery } from './balances.ts';
import { batchesQuery, entriesQuery } from './batches.ts';
import { changesQuery } from './changes.ts';
import { clientsQuery } from './clients.ts';
import { differencesQuery } from './differences.ts';
import { findingsQuery } from './findings.ts';
import { historyQuery, sentBalancesQuery } from './history.ts';
import { listChangesQuery, listLinesQuery } from './list-changes.ts';
import { listQuery } from './lists.ts';
import { warehousesQuery } from './warehouses.ts';

/** Every table of the console, the commands and the report. */
export const tableQueries = {
  balances: balancesQuery,
  totals: totalsQuery,
  history: historyQuery,
  sentBalances: sentBalancesQuery,
  batches: batchesQuery,
  entries: entriesQuery,
  differences: differencesQuery,
  changes: changesQuery,
  findings: findingsQuery,
  warehouses: warehousesQuery,
  clients: clientsQuery,
  codes: (db, filter) => listQuery(db, 'MaterialCodes', filter),
  orders: (db, filter) => listQuery(db, 'PurchaseOrders', filter),
  listChanges: listChangesQuery,
  listLines: listLinesQuery,
} as const satisfies Record<string, (db: DatabaseSync, filter: Filter) => TableQuery>;

export type StockTableName = keyof typeof tableQueries;

export const tableNames = keysOf(tableQueries);
