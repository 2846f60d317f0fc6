import { type ListName, tables } from '../../../../../shared/tables.ts';
import { hrefToUses } from '../../components/cells.tsx';
import { SearchField } from '../../components/filters.tsx';
import { StockTable } from '../../components/stock-table.tsx';
import type { Row } from '../../components/table-columns.tsx';
import { hrefTo, pick, useRoute } from '../../route.ts';

/** Lead to the changes of a row, and to the balances with its code or order. */
export const RowLinks = ({ list, identifier }: { list: ListName; identifier: string }) => (
  <span class="flow">
    <a href={hrefTo('history', [], { list, id: identifier })} aria-label={`History of ${identifier}`}>
      History
    </a>
    <a
      href={list === 'PurchaseOrders' ? hrefToUses(identifier) : hrefTo('materials', [identifier])}
      aria-label={`Balances of ${identifier}`}
    >
      Balances
    </a>
  </span>
);

/** A list as it was at the moment of the page. Nobody can change the past. */
export const PastList = ({ list }: { list: ListName }) => {
  const { partitionKey: key, list: names } = tables[list];
  const query = pick(useRoute().parameters, ['at', 'search']);
  const history = ({ cells }: Row) => <RowLinks list={list} identifier={String(cells[key])} />;
  return (
    <>
      <div class="flow bar">
        <SearchField placeholder={`${key} or an attribute`} />
      </div>
      <StockTable
        {...{ table: names.command, query, caption: names.title, noun: ['row', 'rows'] }}
        moreColumns={[{ title: 'Row', kind: 'word', cell: history }]}
        download={{ content: 'these rows, to import them again', path: ['lists', names.command], query }}
      />
    </>
  );
};
