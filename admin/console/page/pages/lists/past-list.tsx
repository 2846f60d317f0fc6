import { type ListName, tables } from '../../../../../shared/tables.ts';
import { SearchField } from '../../components/filters.tsx';
import { type Row, StockTable } from '../../components/stock-table.tsx';
import { hrefTo, pick, useRoute } from '../../route.ts';

/** Leads to the changes of a row. */
export const HistoryLink = ({ list, identifier }: { list: ListName; identifier: string }) => (
  <a href={hrefTo('history', [], { list, id: identifier })} aria-label={`History of ${identifier}`}>
    History
  </a>
);

/** A list as it was at the moment of the page. Nobody can change the past. */
export const PastList = ({ list }: { list: ListName }) => {
  const { partitionKey: key, list: names } = tables[list];
  const query = pick(useRoute().parameters, ['at', 'search']);
  const history = ({ cells }: Row) => <HistoryLink list={list} identifier={String(cells[key])} />;
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
