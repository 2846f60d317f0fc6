import type { ComponentProps } from 'preact';
import { flushSync } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StockTableName } from '../../../stock/tables/tables.ts';
import type { AddressTexts } from '../../addresses.ts';
import type { TableColumn, TableCount, TablePage } from '../../api.ts';
import { countOf, formatNumber } from '../format.ts';
import { changeAddress, useRoute } from '../route.ts';
import { get, pathTo } from '../source.ts';
import { useWork } from '../use-response.ts';
import { type Cells, cellsOf, useStockResponse } from '../use-stock.ts';
import { Amount, type CellView, decimalsOf, sentenceOf, usualViews } from './cells.tsx';
import { useColumnChoice } from './column-choice.tsx';
import { Notice, Waiting, When } from './controls.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Download } from './download.tsx';
import { PrintedFilter } from './filters.tsx';
import { MAX_PRINTED, Pager } from './pager.tsx';

export type Row = { key: string; cells: Cells };
export type ShownRows = { columns: readonly TableColumn[]; rows: readonly Row[] };

type Props = {
  table: StockTableName | 'query';
  /** The filter and the moment, for the request. */
  query: AddressTexts;
  caption: string;
  /** The word for a row, in the singular and the plural. */
  noun: readonly [string, string];
  /** The name of the value in the address that says how to sort. */
  sortName?: string;
  /** The column that names the row. By default, the first column. */
  headColumn?: string;
  /** How the cells of a column look in this table. A view that returns undefined leaves a cell as usual. */
  viewOf?: (column: TableColumn, shown: ShownRows) => CellView | undefined;
  /** Hides more columns than those that are always hidden. */
  isHidden?: (column: TableColumn) => boolean;
  /** Offers to hide columns of the table. */
  hasColumnChoice?: boolean;
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
  const { table, query, caption, noun, sortName = 'sort' } = props;
  const { rowsAbove = [], moreColumns = [], classOf = () => '' } = props;
  const { parameters } = useRoute();
  const pageName = sortName === 'sort' ? 'page' : `${sortName}-page`;
  const [sort, number] = [parameters.get(sortName), parameters.get(pageName)];
  const sorted = { ...query, sort };
  const path = pathTo(['tables', table], { ...sorted, page: number });
  const { page, isCurrent, hasFailed, ...state } = usePage(path);
  const { response: { count, total = count } = {} } = useStockResponse<TableCount>(
    pathTo(['tables', table, 'count'], query),
  );
  const { shown, isPrinted, print, note, isBusy } = usePrint(page, () => readAllRows(table, sorted));
  const box = useRef<HTMLDivElement>(null);
  const tableBox = () => box.current?.querySelector('.scroll');
  usePlace(tableBox, path, isCurrent);
  useEffect(() => {
    if (rowsAbove.length > 0) changeAddress({ [pageName]: undefined });
    tableBox()?.scrollTo({ top: 0 });
  }, [rowsAbove.length]);
  const rows = rowsOf(shown, rowsAbove);
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
          {total !== undefined && countOf(total, ...noun)}
        </p>
        {choice}
        <Pager
          page={isPrinted ? undefined : page}
          {...{ caption, count, pageName }}
          number={Number(number ?? 1)}
        />
      </div>
      <PrintedFilter query={query} />
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
      <TakeAway
        isOffered={!hasFailed}
        {...{ table, columns }}
        query={sorted}
        download={props.download}
        isPrinting={isBusy}
        onPrint={print}
      />
      {note !== undefined && <Notice>{note}</Notice>}
    </div>
  );
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
const rowsOf = (page: TablePage | undefined, rowsAbove: readonly Row[]) => {
  if (!page) return [];
  const { columns, rows, first } = page;
  const toCells = cellsOf(columns);
  const ofPage = rows.map((cells, index): Row => ({ key: `${first + index}`, cells: toCells(cells) }));
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

/** All rows of a table, or undefined if there are more than `max`. */
export const readAllRows = async (
  table: string,
  query: AddressTexts,
  max = MAX_PRINTED,
): Promise<TablePage | undefined> => {
  const rows: TablePage['rows'] = [];
  for (let number = 1; ; number += 1) {
    const address = { ...query, page: String(number), limit: '500' };
    const page = await get<TablePage>(pathTo(['tables', table], address));
    rows.push(...page.rows);
    if (!page.hasMore) return { ...page, rows, first: 0 };
    if (rows.length >= max) return undefined;
  }
};

type TakeAwayProps = {
  isOffered: boolean;
  table: string;
  query: AddressTexts;
  columns: readonly TableColumn[];
  download: Props['download'];
  isPrinting: boolean;
  onPrint: () => void;
};

/** The downloads and the print of the rows that the query finds. */
const TakeAway = ({
  isOffered,
  table,
  query,
  columns,
  download = {
    content: 'these rows',
    path: ['tables', table],
    query: { ...query, columns: JSON.stringify(columns.map(({ name }) => name)) },
  },
  isPrinting,
  onPrint,
}: TakeAwayProps) =>
  isOffered && (
    <div class="flow bar">
      {/* A notice or an error is about the rows of one query. */}
      <Download key={JSON.stringify(query)} {...download} />
      <button type="button" class="plain small" disabled={isPrinting} onClick={onPrint}>
        Print these rows
      </button>
    </div>
  );

const columnOf = (
  { headColumn, viewOf }: Props,
  column: TableColumn,
  index: number,
  shown: ShownRows,
): Column<Row> => {
  const { name, title } = column;
  const view = viewOf?.(column, shown);
  // In the result of a query, each column is of the kind text, also a column with numbers.
  const isNumber = (value: Cells[string]) =>
    column.kind === 'number' || (column.kind === 'text' && typeof value === 'number');
  const numbers = shown.rows.map(({ cells }) => cells[name] ?? null).filter(isNumber);
  const kind = numbers.length > 0 ? 'number' : column.kind;
  const decimals = decimalsOf(numbers);
  const usual: CellView = (cells) => {
    const value = cells[name] ?? null;
    if (value === null) return null;
    if (usualViews[name]) return usualViews[name](cells);
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
    cell: ({ cells }) => {
      const seen = view?.(cells);
      return seen === undefined ? usual(cells) : seen;
    },
  };
};

/** `shown` is the page, or all rows of the table while the browser prints them. */
const usePrint = (page: TablePage | undefined, readAll: () => Promise<TablePage | undefined>) => {
  const [printed, setPrinted] = useState<TablePage>();
  const { result: note, isBusy, failure, run } = useWork<string | undefined>();
  const print = () =>
    run(async () => {
      const all = await readAll();
      if (!all) {
        return `There are more than ${formatNumber(MAX_PRINTED)} rows. Filter the table, or download the rows and print them from the file.`;
      }
      flushSync(() => setPrinted(all));
      window.print();
      setPrinted(undefined);
      return undefined;
    });
  const shown = page && (printed ?? page);
  return { shown, isPrinted: printed !== undefined, print, isBusy, note: failure ?? note };
};
