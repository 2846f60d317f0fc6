import { useEffect, useRef, useState } from 'preact/hooks';
import type { TableCount, TableWindow } from '../../api.ts';
import { get, pathTo, type Query } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';

type SortedTable = { table: string; query: Query; sort: string | undefined };

type Position = {
  /** The end of the path that asks for the page, such as `&after=…`. */
  pathEnd: string;
  /** The index of the first row of the page. If the page ends before a row, the index of this row. */
  edge: number;
  /** The titles of clicked buttons. A click waits until the page of the previous click has been read. */
  clicks: readonly string[];
};

const START: Position = { pathEnd: '', edge: 0, clicks: [] };
/** `before` without a row asks for the last rows of the table. */
const BEFORE = '&before=';

/** A table, page by page. The rows of a page stay until the next page has been read. */
export const useTablePage = ({ table, query, sort }: SortedTable) => {
  const path = pathTo(['tables', table], { ...query, sort });
  const [stored, setStored] = useState({ path, ...START });
  const positionIn = (state: typeof stored) => (state.path === path ? state : { path, ...START });
  const position = positionIn(stored);
  const { response, ...state } = useStockResponse<TableWindow>(`${path}${position.pathEnd}`);
  const { response: { count } = {} } = useStockResponse<TableCount>(
    pathTo(['tables', table, 'count'], query),
  );
  const lastPage = useRef<ReturnType<typeof toPage>>(undefined);
  if (response) lastPage.current = toPage(response, position);
  const page = lastPage.current;
  const goTo = (pathEnd: string, edge: number) =>
    setStored((state) => ({ path, pathEnd, edge, clicks: positionIn(state).clicks.slice(1) }));
  const toStart = () => goTo('', 0);
  const isGone = response?.rows.length === 0 && position.pathEnd !== '';
  useEffect(() => {
    if (isGone) toStart();
  }, [isGone]);
  const { rows = [], first = 0, hasBefore = false, hasAfter = false } = page ?? {};
  const buttons = [
    { title: 'First rows', isEnabled: hasBefore, go: toStart },
    { title: 'Rows before', isEnabled: hasBefore, go: () => goTo(`${BEFORE}${rows[0]?.cursor}`, first) },
    {
      title: 'Rows after',
      isEnabled: hasAfter,
      go: () => goTo(`&after=${rows.at(-1)?.cursor}`, first + rows.length),
    },
    {
      title: 'Last rows',
      isEnabled: hasAfter && count !== undefined,
      go: () => goTo(BEFORE, count ?? 0),
    },
  ];
  useEffect(() => {
    const button = response && buttons.find(({ title }) => title === position.clicks[0]);
    if (button?.isEnabled) button.go();
    else if (button) goTo(position.pathEnd, position.edge);
  }, [response, position.clicks]);
  const click = (title: string) =>
    setStored((state) => ({ ...positionIn(state), clicks: [...positionIn(state).clicks, title] }));
  return {
    ...{ ...state, page, count, toStart },
    buttons: buttons.map(({ title, isEnabled }) => ({ title, isEnabled, onClick: () => click(title) })),
    isCurrent: response !== undefined,
  };
};

const toPage = (window: TableWindow, { pathEnd, edge }: Position) => {
  const { rows, hasMore } = window;
  if (!pathEnd.startsWith(BEFORE))
    return { ...window, first: edge, hasBefore: pathEnd !== '', hasAfter: hasMore };
  const first = hasMore ? edge - rows.length : 0;
  return { ...window, first, hasBefore: hasMore, hasAfter: pathEnd !== BEFORE };
};

/** All rows of a table, or undefined if there are more than `max`. */
export const readRows = async ({ table, query, sort }: SortedTable, max: number) => {
  const rows: TableWindow['rows'] = [];
  for (;;) {
    const options = { sort, after: rows.at(-1)?.cursor, limit: '500' };
    const window = await get<TableWindow>(pathTo(['tables', table], { ...query, ...options }));
    rows.push(...window.rows);
    if (!window.hasMore) return rows;
    if (rows.length >= max) return undefined;
  }
};
