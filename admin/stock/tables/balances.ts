import type { DatabaseSync } from 'node:sqlite';
import {
  balanceConditions,
  findWords,
  knownAt,
  knownAtOfMaterial,
  narrowToNextMaterials,
  newestInstantOf,
} from '../queries/balance-conditions.ts';
import {
  balanceColumn,
  beginning,
  clientColumn,
  column,
  materialColumn,
  NAMES,
  ofBatch,
  ordersColumn,
  unitColumn,
  withMaterialAttributes,
} from '../queries/columns.ts';
import type { Filter } from '../queries/filter.ts';
import type { TableQuery } from '../queries/table-query.ts';

/** The last known balance of each material in each warehouse. */
export const balancesQuery = (db: DatabaseSync, filter: Filter): TableQuery => {
  const searchWords = findWords(db, filter.search);
  const conditions = balanceConditions(filter, searchWords);
  const table: TableQuery = {
    columns: withMaterialAttributes(
      db,
      materialColumn,
      clientColumn,
      balanceColumn,
      unitColumn,
      {
        name: 'Difference',
        title: 'Difference',
        kind: 'number',
        sql: 'exact_difference(shown.value, shown.before)',
        sortSql: 'b.value - b.before',
      },
      ordersColumn,
      column('ReceivedAt', 'Received', 'time', newestInstantOf),
      column('Since', 'Since', 'time', beginning),
      {
        name: 'SnapshotId',
        title: 'Batch',
        kind: 'text',
        sql: ofBatch('snapshot_id', 'shown.client', newestInstantOf('shown')),
        // The id of a snapshot begins with its time.
        sortSql: newestInstantOf('b'),
      },
    ),
    from: filter.material === undefined ? knownAt(filter) : knownAtOfMaterial(filter),
    keys: ['b.material', 'b.client'],
    joins: NAMES,
    conditions,
    usualSort: 'MaterialCode',
  };
  const narrow = narrowToNextMaterials(db, filter, searchWords, 8_000, (range) => ({
    ...table,
    from: knownAtOfMaterial(filter),
    conditions: [...conditions, range],
  }));
  return { ...table, narrow };
};
