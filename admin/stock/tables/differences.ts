import type { DatabaseSync } from 'node:sqlite';
import { sortKeyOf } from '../database/dictionary.ts';
import { materialColumn } from '../queries/columns.ts';
import { type Filter, withWordsIn } from '../queries/filter.ts';
import type { TableColumn, TableQuery } from '../queries/table-query.ts';
import { entriesOf, isIn, loadedBatch } from './batches.ts';

const COMPARED = ['value', 'unit', 'orders'] as const;
const columnsOf = (side: 'before' | 'after') =>
  COMPARED.map((column) => `max(${column}) FILTER (WHERE side = '${side}') AS ${column}_${side}`);

/** Leaves out the rows that the batch of the other side has, too. Most rows are in both batches, and grouping them takes long. */
const notIn = (client: string, id: string) =>
  `LEFT JOIN ${loadedBatch(client, id)} AS opposite ON ${isIn('opposite')} WHERE opposite.client_id IS NULL`;

/** Balances of both batches side by side. */
const PAIRS = `(
  SELECT material, ${[...columnsOf('before'), ...columnsOf('after')].join(', ')} FROM (
    SELECT 'before' AS side, b.* FROM ${entriesOf(':clientBefore', ':idBefore')} ${notIn(':clientAfter', ':idAfter')}
    UNION ALL
    SELECT 'after' AS side, b.* FROM ${entriesOf(':clientAfter', ':idAfter')} ${notIn(':clientBefore', ':idBefore')}
  ) GROUP BY material
  HAVING NOT (${COMPARED.map((column) => `${column}_before IS ${column}_after`).join(' AND ')})
) AS b`;

const kindOf = (row: string) =>
  `iif(${row}.value_before IS NULL, 'added', iif(${row}.value_after IS NULL, 'gone', 'changed'))`;

const nameOf = (table: 'unit' | 'orders', side: 'before' | 'after') =>
  `(SELECT name FROM ${table} WHERE id = shown.${table}_${side})`;

const columnsOfSides = (
  column: 'value' | 'unit' | 'orders',
  { name, title, kind }: Pick<TableColumn, 'name' | 'title' | 'kind'>,
): TableColumn[] =>
  (['before', 'after'] as const).map((side) => ({
    name: `${name}${side === 'before' ? 'Before' : 'After'}`,
    title: `${title} ${side}`,
    kind,
    sql: column === 'value' ? `shown.value_${side}` : nameOf(column, side),
    sortSql: `b.${column}_${side}`,
  }));

/** The materials of which two batches have different balances. The batches may be of two clients. */
export const differencesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => {
  const [clientBefore, idBefore] = batchOf(filter.one);
  const [clientAfter, idAfter] = batchOf(filter.other);
  return {
    columns: [
      { name: 'Kind', title: 'Kind', kind: 'text', sql: kindOf('shown'), sortSql: kindOf('b') },
      materialColumn,
      ...columnsOfSides('value', { name: 'StockBalance', title: 'Balance', kind: 'number' }),
      {
        name: 'Difference',
        title: 'Difference',
        kind: 'number',
        sql: `iif(shown.unit_before = shown.unit_after,
          exact_difference(shown.value_after, shown.value_before), NULL)`,
        sortSql: 'iif(b.unit_before = b.unit_after, b.value_after - b.value_before, NULL)',
      },
      ...columnsOfSides('unit', { name: 'StockBalanceUnit', title: 'Unit', kind: 'text' }),
      ...columnsOfSides('orders', { name: 'PurchaseOrders', title: 'Orders', kind: 'texts' }),
    ],
    from: PAIRS,
    keys: ['b.material'],
    joins: 'JOIN material ON material.id = shown.material',
    conditions: [
      {
        sql: 'TRUE',
        values: {
          ...{ clientBefore: sortKeyOf(clientBefore), idBefore },
          ...{ clientAfter: sortKeyOf(clientAfter), idAfter },
        },
      },
      ...withWordsIn(filter.search, '(SELECT folded FROM material WHERE id = b.material)'),
    ],
    usualSort: 'MaterialCode',
  };
};

/** Splits CLIENT/ID. The name of a client has no slash. */
const batchOf = (text = ''): [client: string, id: string] => {
  const slash = text.indexOf('/');
  return [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)];
};
