import { column, common, differenceColumn } from '../queries/columns.ts';
import { type Filter, withWordsIn } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';
import { entriesOf } from './batches.ts';

const COMPARED = ['value', 'unit', 'orders'] as const;
const columnsOf = (side: 'before' | 'after') =>
  COMPARED.map((column) => `max(${column}) FILTER (WHERE side = '${side}') AS ${column}_${side}`).join(', ');

const PAIRS = `(
  SELECT material, ${columnsOf('before')}, ${columnsOf('after')} FROM (
    SELECT *, 'before' AS side FROM (${entriesOf(':clientBefore', ':idBefore')})
    UNION ALL SELECT *, 'after' FROM (${entriesOf(':clientAfter', ':idAfter')})
  ) GROUP BY material
  HAVING (value_before, unit_before, orders_before) IS NOT (value_after, unit_after, orders_after)
) AS b`;

const KIND = `iif(b.value_before IS NULL, 'added', iif(b.value_after IS NULL, 'gone', 'changed'))`;

/** The materials of which two batches have different balances. The batches may be of two clients. */
export const differencesQuery = (filter: Filter): TableDefinition => {
  const [clientBefore, idBefore] = batchOf(filter.one);
  const [clientAfter, idAfter] = batchOf(filter.other);
  const inUnit = (value: string) => `iif(b.unit_before = b.unit_after, ${value}, NULL)`;
  return {
    columns: [
      column('Kind', 'Kind', 'text', KIND),
      common.material,
      column('StockBalanceBefore', 'Balance before', 'number', 'b.value_before'),
      column('StockBalanceAfter', 'Balance after', 'number', 'b.value_after'),
      differenceColumn(inUnit('b.value_after'), inUnit('b.value_before')),
      column('StockBalanceUnitBefore', 'Unit before', 'text', 'b.unit_before'),
      column('StockBalanceUnitAfter', 'Unit after', 'text', 'b.unit_after'),
      column('PurchaseOrdersBefore', 'Orders before', 'texts', 'b.orders_before'),
      column('PurchaseOrdersAfter', 'Orders after', 'texts', 'b.orders_after'),
    ],
    from: PAIRS,
    keys: ['b.material'],
    conditions: [
      ...withWordsIn(
        filter.search,
        `(SELECT folded FROM word WHERE kind = 'material' AND text = b.material)`,
      ),
    ],
    values: { clientBefore, idBefore, clientAfter, idAfter },
    usualSort: 'MaterialCode',
  };
};

/** Splits CLIENT/ID. The name of a client has no slash. */
const batchOf = (text = ''): [client: string, id: string] => {
  const slash = text.indexOf('/');
  return [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)];
};
