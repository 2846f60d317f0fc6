import type { ComponentProps } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { StockTableName } from '../../../stock/tables/tables.ts';
import type { AddressTexts } from '../../addresses.ts';
import type { TableColumn, TableCount, TablePage } from '../../api.ts';
import { countOf } from '../format.ts';
import { changeAddress, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { type Cells, cellsOf, useStockResponse } from '../use-stock.ts';
import { useColumnChoice } from './column-choice.tsx';
import { Notice, Waiting } from './controls.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Download } from './download.tsx';
import { PrintedFilter } from './filters.tsx';
import { Pager } from './pager.tsx';
import { readAllRows, usePrint } from './print-rows.ts';
import { columnOf, type Row, type Views } from './table-columns.tsx';

type Props = Views & {
  table: StockTableName | 'query';
  /** The filter and the moment, for the request. */
  query: AddressTexts;
  caption: string;
  /** The word for a row, in the singular and the plural. */
  noun: readonly [string, string];
  /** The name of the value in the address that says how to sort. */
  sortName?: string;
  /** False if another table of the page prints the filter. */
  printsFilter?: boolean;
  /** Hides more columns than those that are always hidden. */
  isHidden?: (column: TableColumn) => boolean;
  /** Offers to hide columns of the table. */
  hasColumnChoice?: boolean;
  /** What a row is. Without it, a row is its place, and keeps the focus there when other rows come before it. */
  keyOf?: (cells: Cells) => string;
  /** Rows that the response does not have. */
  rowsAbove?: readonly Row[];
  /** Columns that are filled like those of the response. */
  columnsAfter?: readonly TableColumn[];
  /** Columns that the response does not have, such as buttons. */
  moreColumns?: readonly Column<Row>[];
  /** Another file than that of the rows as they are shown. */
  download?: ComponentProps<typeof Download>;
  classOf?: (row: Row) => string;
};

/** Only links need the ids. The page says above all tables from which batches it is. */
const ALWAYS_HIDDEN = ['SnapshotId', 'PreviousId', 'BatchesSince'];

/** A table of the stock, page by page. */
export const StockTable = (props: Props) => {
  const { table, query, caption, sortName = 'sort' } = props;
  const { rowsAbove = [], moreColumns = [], classOf = () => '' } = props;
  const { parameters } = useRoute();
  const pageName = sortName === 'sort' ? 'page' : `${sortName}-page`;
  const [sort, number] = [parameters.get(sortName), parameters.get(pageName)];
  const sorted = { ...query, sort };
  const path = pathTo(['tables', table], { ...sorted, page: number });
  const { page, isCurrent, hasFailed, ...state } = usePage(path);
  const { count, counted } = useCount(props);
  const { shown, isPrinted, print, note, isBusy } = usePrint(page, () => readAllRows(table, sorted));
  const box = useRef<HTMLDivElement>(null);
  const tableBox = () => box.current?.querySelector('.scroll');
  usePlace(tableBox, path, isCurrent);
  useEffect(() => {
    if (rowsAbove.length > 0) changeAddress({ [pageName]: undefined });
    tableBox()?.scrollTo({ top: 0 });
  }, [rowsAbove.length]);
  const rows = rowsOf(shown, props);
  const { columns, choice } = useColumnChoice(table, columnsOf(shown, props), props.hasColumnChoice);
  return (
    <div ref={box} class={isCurrent ? 'stock' : 'stock old'} aria-busy={!isCurrent && !hasFailed}>
      <Waiting response={page} {...state} />
      {hasFailed && (sort ?? number) !== null && (
        <button type="button" onClick={() => changeAddress({ [sortName]: undefined, [pageName]: undefined })}>
          Show the first rows in the usual order
        </button>
      )}
      <div class="flow bar">
        <p class="soft small" role="status">
          {counted}
        </p>
        {choice}
        <Pager
          page={isPrinted ? undefined : page}
          {...{ caption, count, pageName }}
          number={Number(number ?? 1)}
        />
      </div>
      <PrintedFilter query={query} isPrinted={props.printsFilter} />
      {shown && (
        <DataTable
          {...{ caption, rows, count, classOf }}
          columns={[
            ...columns.map((column, index) => columnOf(props, column, index, { columns, rows })),
            ...(isPrinted ? [] : moreColumns),
          ]}
          keyOf={({ key }) => key}
          first={shown.first}
          sort={sort ?? shown.usualSort}
          onSort={(sort) => changeAddress({ [sortName]: sort, [pageName]: undefined })}
        />
      )}
      {!hasFailed && (
        <div class="flow bar">
          {/* A notice or an error is about the rows of one query. */}
          <Download key={JSON.stringify(sorted)} {...downloadOf(props, sorted, columns)} />
          <button type="button" class="plain small" disabled={isBusy} onClick={print}>
            Print these rows
          </button>
        </div>
      )}
      {note !== undefined && <Notice>{note}</Notice>}
    </div>
  );
};

const useCount = ({ table, query, noun }: Props) => {
  const { response } = useStockResponse<TableCount>(pathTo(['tables', table, 'count'], query));
  const { count, total = count } = response ?? {};
  return { count, counted: total !== undefined && countOf(total, ...noun) };
};

/** The page at a path. The rows of the page before stay until others have been read. */
const usePage = (path: string) => {
  const { response, ...state } = useStockResponse<TablePage>(path);
  const last = useRef<TablePage>(undefined);
  if (response) last.current = response;
  const isCurrent = response !== undefined;
  return { page: last.current, isCurrent, hasFailed: !isCurrent && state.failure !== undefined, ...state };
};

const columnsOf = (
  page: TablePage | undefined,
  { isHidden = () => false, columnsAfter = [] }: Props,
): TableColumn[] => {
  if (!page) return [];
  const shown = page.columns.filter((column) => !ALWAYS_HIDDEN.includes(column.name) && !isHidden(column));
  const names = page.columns.map(({ name }) => name);
  return [...shown, ...columnsAfter.filter(({ name }) => !names.includes(name))];
};

/** The rows above are on the first page. */
const rowsOf = (page: TablePage | undefined, { rowsAbove = [], keyOf }: Props) => {
  if (!page) return [];
  const { columns, rows, first } = page;
  const toCells = cellsOf(columns);
  const ofPage = rows
    .map(toCells)
    .map((cells, index): Row => ({ key: keyOf?.(cells) ?? `${first + index}`, cells }));
  return first > 0 ? ofPage : [...rowsAbove, ...ofPage];
};

type Place = { table: number; page: number };

/** Back and a reload show the rows at the place where they were. The browser keeps the place with the entry in its history. */
const usePlace = (tableBox: () => Element | null | undefined, path: string, isCurrent: boolean) =>
  useLayoutEffect(() => {
    const place: Place | undefined = history.state?.[path];
    tableBox()?.scrollTo({ top: place?.table ?? 0 });
    if (!isCurrent) return;
    if (place) scrollTo({ top: place.page });
    const keep = () => {
      const place: Place = { table: tableBox()?.scrollTop ?? 0, page: scrollY };
      history.replaceState({ ...history.state, [path]: place }, '');
    };
    addEventListener('scrollend', keep, true);
    return () => removeEventListener('scrollend', keep, true);
  }, [path, isCurrent]);

const downloadOf = ({ table, download }: Props, query: AddressTexts, columns: readonly TableColumn[]) =>
  download ?? {
    content: 'these rows',
    path: ['tables', table],
    query: { ...query, columns: JSON.stringify(columns.map(({ name }) => name)) },
  };
