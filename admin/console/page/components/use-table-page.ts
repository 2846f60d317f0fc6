import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { TableCount, TableWindow } from '../../api.ts';
import { get, pathTo, type Query } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';

type SortedTable = { table: string; query: Query; sort: string | null };

type Place = {
  /** Asks for the first rows. */
  path: string;
  /** The end of the path that asks for the page, such as `&after=…`. */
  pathEnd: string;
  /** The index of the first row of the page. If the page ends before a row, the index of this row. */
  edge: number;
  /** The titles of clicked buttons. A click waits until the page of the previous click has been read. */
  clicks: readonly string[];
  /** How far the table and the whole page are scrolled. */
  tops: readonly [table: number, page: number] | undefined;
};

/** `before` without a row asks for the last rows of the table. */
const BEFORE = '&before=';

/** The browser keeps the place with the entry in its history, so Back and a reload lead to the same rows. */
const placeIn = (name: string, path: string): Place => {
  const kept: Place | undefined = history.state?.[name];
  return kept?.path === path ? kept : { path, pathEnd: '', edge: 0, clicks: [], tops: undefined };
};

/**
 * A table, page by page. The rows of a page stay until the next page has been read. `name` differs from the names of the
 * other tables on the page.
 */
export const useTablePage = ({ table, query, sort }: SortedTable, name: string) => {
  const path = pathTo(['tables', table], { ...query, sort });
  const place = placeIn(name, path);
  const { pathEnd } = place;
  const { response, ...state } = useStockResponse<TableWindow>(`${path}${pathEnd}`);
  const { response: { count } = {} } = useStockResponse<TableCount>(
    pathTo(['tables', table, 'count'], query),
  );
  const lastPage = useRef<ReturnType<typeof toPage>>(undefined);
  if (response) lastPage.current = toPage(response, place);
  const page = lastPage.current;
  const [, redraw] = useReducer<number, void>((changes) => changes + 1, 0);
  const changePlace = (changes: Partial<Place>) => {
    history.replaceState({ ...history.state, [name]: { ...placeIn(name, path), ...changes } }, '');
    redraw();
  };
  const goTo = (pathEnd: string, edge: number) =>
    changePlace({ pathEnd, edge, clicks: placeIn(name, path).clicks.slice(1), tops: undefined });
  const toStart = () => goTo('', 0);
  // The history may have a place of an older console, which cannot be read.
  const isGone =
    pathEnd !== '' && (response ? response.rows.length === 0 : !page && state.failure !== undefined);
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
    const button = response && buttons.find(({ title }) => title === place.clicks[0]);
    if (button?.isEnabled) button.go();
    else if (button) goTo(pathEnd, place.edge);
  }, [response, place.clicks]);
  const click = (title: string) => changePlace({ clicks: [...placeIn(name, path).clicks, title] });
  return {
    ...{ ...state, page, count, place, changePlace, toStart },
    buttons: buttons.map(({ title, isEnabled }) => ({ title, isEnabled, onClick: () => click(title) })),
    isCurrent: response !== undefined,
    isReading: response === undefined && state.failure === undefined,
    hasFailed: response === undefined && state.failure !== undefined,
  };
};

const toPage = (window: TableWindow, { pathEnd, edge }: Place) => {
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
