import type { DatabaseSync } from 'node:sqlite';
import { keysOf } from '../../../shared/object-keys.ts';
import { type Filter, valuesOf } from '../queries/filter.ts';
import type { TableDefinition, TableQuery } from '../queries/read-table.ts';
import { balancesQuery, totalsQuery } from './balances.ts';
import { batchesQuery, entriesQuery } from './batches.ts';
import { changesQuery } from './changes.ts';
import { clientsQuery } from './clients.ts';
import { comparedMaterialsQuery, comparedQuery, comparedUnitsQuery } from './comparison.ts';
import { differencesQuery } from './differences.ts';
import { findingsQuery } from './findings.ts';
import { historyQuery, orderUsesQuery, sentBalancesQuery } from './history.ts';
import { listChangesQuery, listLinesQuery } from './list-changes.ts';
import { listQuery } from './lists.ts';
import { warehousesQuery } from './warehouses.ts';

const definitions = {
  balances: balancesQuery,
  totals: totalsQuery,
  history: historyQuery,
  sentBalances: sentBalancesQuery,
  orderUses: orderUsesQuery,
  batches: batchesQuery,
  entries: entriesQuery,
  differences: differencesQuery,
  compared: comparedQuery,
  comparedMaterials: comparedMaterialsQuery,
  comparedUnits: comparedUnitsQuery,
  changes: changesQuery,
  findings: findingsQuery,
  warehouses: warehousesQuery,
  clients: clientsQuery,
  codes: listQuery('MaterialCodes'),
  orders: listQuery('PurchaseOrders'),
  listChanges: listChangesQuery,
  listLines: listLinesQuery,
} as const satisfies Record<string, (filter: Filter, db: DatabaseSync) => TableDefinition>;

export type StockTableName = keyof typeof definitions;

export const tableNames = keysOf(definitions);

export const tableQuery = (db: DatabaseSync, table: StockTableName, filter: Filter): TableQuery => {
  const { values, ...definition } = definitions[table](filter, db);
  return { ...definition, values: { ...valuesOf(filter), ...values } };
};
