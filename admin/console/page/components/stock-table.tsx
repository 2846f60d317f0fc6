import { flushSync } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TableColumn, TableWindow } from '../../api.ts';
import { countOf, formatNumber } from '../format.ts';
import { changeAddress } from '../route.ts';
import type { Query } from '../source.ts';
import { useWork } from '../use-response.ts';
import { cellsOf, type ReadCell } from '../use-stock.ts';
import { Amount, type CellView, decimalsOf, sentenceOf, usualViews } from './cells.tsx';
import { Notice, Waiting, When } from './controls.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Download } from './download.tsx';
import { readRows, useTablePage } from './use-table-page.ts';

export type Row = { key: string; cells: ReadCell };

type Props = {
  table: string;
  /** The filter and the moment, for the request. */
  query: Query;
  caption: string;
  /** The word for a row, in the singular and the plural. */
  noun: readonly [string, string];
  /** The column that sorts until a person chooses another one, with - for a descending order. */
  usualSort?: string;
  /** The name of the value in the address that says how to sort. */
  sortName?: string;
  /** The values in the address of the console. */
  parameters: URLSearchParams;
  /** The column that names the row. By default, the first column. */
  headColumn?: string;
  /** How the cells of a column look in this table. */
  viewOf?: (column: TableColumn) => CellView | undefined;
  /** Hides columns. The columns of ids are always hidden, because only links need them. */
  isHidden?: (column: TableColumn) => boolean;
  /** Rows that the response does not have. */
  rowsAbove?: readonly Row[];
  /** Columns that the response does not have, such as buttons. */
  moreColumns?: readonly Column<Row>[];
  classOf?: (row: Row) => string;
};

const MAX_PRINTED = 5_000;
const IDS = ['SnapshotId', 'PreviousId'];

/** A table of the stock, page by page. */
export const StockTable = (props: Props) => {
  const { table, query, caption, noun, usualSort, sortName = 'sort', parameters } = props;
  const { isHidden = () => false, rowsAbove = [], moreColumns = [], classOf = () => '' } = props;
  const sort = parameters.get(sortName);
  const sortedTable = { table, query, sort };
  const tablePage = useTablePage(sortedTable, sortName);
  const {
    page,
    count,
    place,
    changePlace,
    isCurrent,
    isReading,
    hasFailed,
    failure,
    refresh,
    toStart,
    buttons,
  } = tablePage;
  const { printed, print, note, isBusy } = usePrint(() => readRows(sortedTable, MAX_PRINTED));
  const box = useRef<HTMLDivElement>(null);
  const tableBox = () => box.current?.querySelector('.scroll');
  useLayoutEffect(() => {
    const [tableTop = 0, pageTop = scrollY] = place.tops ?? [];
    tableBox()?.scrollTo({ top: tableTop });
    if (!isCurrent) return;
    scrollTo({ top: pageTop });
    const keepTops = () => changePlace({ tops: [tableBox()?.scrollTop ?? 0, scrollY] });
    addEventListener('scrollend', keepTops, true);
    return () => removeEventListener('scrollend', keepTops, true);
  }, [place.path, place.pathEnd, isCurrent]);
  useEffect(() => {
    if (rowsAbove.length > 0) toStart();
    tableBox()?.scrollTo({ top: 0 });
  }, [rowsAbove.length]);
  const columns = page?.columns.filter((column) => !IDS.includes(column.name) && !isHidden(column)) ?? [];
  const rowsOf = ({ columns, rows, first }: NonNullable<typeof page>) => {
    const toCells = cellsOf(columns);
    const tableRows = (printed ?? rows).map((row): Row => ({ key: row.cursor, cells: toCells(row) }));
    // Only the first page and a print have the rows above.
    return first > 0 && !printed ? tableRows : [...rowsAbove, ...tableRows];
  };
  const rows = page ? rowsOf(page) : [];
  const isPart = buttons.some(({ isEnabled }) => isEnabled);
  return (
    <div ref={box} class={isCurrent ? 'stock' : 'stock old'} aria-busy={isReading}>
      <Waiting response={page} failure={failure} refresh={refresh} />
      {failure !== undefined && sort !== null && (
        <button type="button" onClick={() => changeAddress({ [sortName]: undefined })}>
          Show the usual order
        </button>
      )}
      <div class="flow bar">
        <p class="soft small" role="status">
          {count !== undefined && countOf(count, ...noun)}
        </p>
        {page && isPart && !printed && (
          <span class="flow small">
            <span class="soft">
              {formatNumber(page.first + 1)} to {formatNumber(page.first + page.rows.length)}
            </span>
            {buttons.map(({ title, isEnabled, onClick }) => (
              <button key={title} type="button" class="plain" aria-disabled={!isEnabled} onClick={onClick}>
                {title}
              </button>
            ))}
          </span>
        )}
      </div>
      <PrintedFilter query={query} />
      {isPart && !printed && (
        <p class="printed">
          These are {countOf(rows.length, 'row')} of the table. The button "Print these rows" prints up to{' '}
          {formatNumber(MAX_PRINTED)} rows.
        </p>
      )}
      {page && (
        <DataTable
          caption={caption}
          columns={[
            ...columns.map((column, index) => columnOf(props, column, index, rows)),
            ...(printed ? [] : moreColumns),
          ]}
          rows={rows}
          keyOf={({ key }) => key}
          first={printed ? 0 : page.first}
          count={count}
          sort={sort ?? usualSort}
          onSort={(sort) => changeAddress({ [sortName]: sort })}
          classOf={classOf}
        />
      )}
      <TakeAway
        isOffered={!hasFailed}
        table={table}
        query={{ ...query, sort }}
        columns={columns}
        isPrinting={isBusy}
        onPrint={print}
      />
      {note !== undefined && <Notice>{note}</Notice>}
    </div>
  );
};

type TakeAwayProps = {
  isOffered: boolean;
  table: string;
  query: Query;
  columns: readonly TableColumn[];
  isPrinting: boolean;
  onPrint: () => void;
};

/** The downloads and the print of the rows that the query finds. */
const TakeAway = ({ isOffered, table, query, columns, isPrinting, onPrint }: TakeAwayProps) =>
  isOffered && (
    <div class="flow bar">
      <Download
        // A notice or an error is about the rows of one query.
        key={JSON.stringify(query)}
        content="these rows"
        path={['tables', table]}
        query={{ ...query, columns: JSON.stringify(columns.map(({ name }) => name)) }}
      />
      <button type="button" class="plain small" disabled={isPrinting} onClick={onPrint}>
        Print these rows
      </button>
    </div>
  );

/** The controls of the filter are not printed. */
const PrintedFilter = ({ query }: { query: Query }) => {
  const values = Object.entries(query).flatMap(([name, value]) =>
    value ? [`${name === 'client' ? 'warehouse' : name} ${value}`] : [],
  );
  return values.length > 0 && <p class="printed">Filter: {values.join(', ')}.</p>;
};

const columnOf = (
  { headColumn, viewOf, parameters }: Props,
  column: TableColumn,
  index: number,
  rows: readonly Row[],
): Column<Row> => {
  const { name, title } = column;
  const view = viewOf?.(column);
  // In the result of a query, each column is of the kind text, also a column with numbers.
  const isNumber = (value: ReturnType<ReadCell>) =>
    column.kind === 'number' || (column.kind === 'text' && typeof value === 'number');
  const numbers = rows.map(({ cells }) => cells(name)).filter(isNumber);
  const kind = numbers.length > 0 ? 'number' : column.kind;
  const decimals = decimalsOf(numbers);
  const usual: CellView = (cells) => {
    const value = cells(name);
    if (value === null) return null;
    if (usualViews[name]) return usualViews[name](cells, parameters);
    if (isNumber(value))
      return <Amount value={value} decimals={decimals} isDifference={name === 'Difference'} />;
    if (kind === 'detail' || kind === 'advice') return sentenceOf(kind, value);
    return kind === 'time' ? <When at={Number(value)} /> : String(value);
  };
  const isHead = headColumn === undefined ? index === 0 : name === headColumn;
  return {
    title,
    name,
    kind: isHead ? 'head' : kind === 'number' || kind === 'texts' ? kind : 'word',
    cell: ({ cells }) => (view ?? usual)(cells, parameters),
  };
};

/** `printed` has all rows of the table while the browser prints them. */
const usePrint = (readAll: () => Promise<TableWindow['rows'] | undefined>) => {
  const [printed, setPrinted] = useState<TableWindow['rows']>();
  const { result: note, isBusy, failure, run } = useWork<string | undefined>();
  const print = () =>
    run(async () => {
      const rows = await readAll();
      if (!rows) {
        return `There are more than ${formatNumber(MAX_PRINTED)} rows. Filter the table, or download the rows and print them from the file.`;
      }
      flushSync(() => setPrinted(rows));
      window.print();
      setPrinted(undefined);
      return undefined;
    });
  return { printed, print, isBusy, note: failure ?? note };
};
