import { useEffect, useRef, useState } from 'preact/hooks';
import type { TableCount, TableWindow } from '../../api.ts';
import { get, pathTo, type Query } from '../source.ts';
import { useStockResponse } from '../use-stock.ts';

type Asked = { table: string; query: Query; sort: string | undefined };

/**
 * `turn` is what the address adds for a page. `edge` is the place of its first row, or of the row after its last. `clicks` are
 * titles of further turns, each of which waits for the rows of the one before.
 */
type Place = { turn: string; edge: number; clicks: readonly string[] };

const START: Place = { turn: '', edge: 0, clicks: [] };
/** Without a row, it is the end of the table. */
const BEFORE = '&before=';

/** A table, page by page. The rows of a page stay until the next ones are here. */
export const useTablePage = ({ table, query, sort }: Asked) => {
  const address = pathTo(['tables', table], { ...query, sort });
  const [chosen, setChosen] = useState({ address, ...START });
  const placeIn = (state: typeof chosen) => (state.address === address ? state : { address, ...START });
  const place = placeIn(chosen);
  const { response, ...state } = useStockResponse<TableWindow>(`${address}${place.turn}`);
  const { response: { count } = {} } = useStockResponse<TableCount>(
    pathTo(['tables', table, 'count'], query),
  );
  const last = useRef<ReturnType<typeof toPage>>(undefined);
  if (response) last.current = toPage(response, place);
  const page = last.current;
  const goTo = (turn: string, edge: number) =>
    setChosen((state) => ({ address, turn, edge, clicks: placeIn(state).clicks.slice(1) }));
  const toStart = () => goTo('', 0);
  const isGone = response?.rows.length === 0 && place.turn !== '';
  useEffect(() => {
    if (isGone) toStart();
  }, [isGone]);
  const { rows = [], first = 0, hasBefore = false, hasAfter = false } = page ?? {};
  const turns = [
    { title: 'First rows', isPossible: hasBefore, go: toStart },
    { title: 'Rows before', isPossible: hasBefore, go: () => goTo(`${BEFORE}${rows[0]?.cursor}`, first) },
    {
      title: 'Rows after',
      isPossible: hasAfter,
      go: () => goTo(`&after=${rows.at(-1)?.cursor}`, first + rows.length),
    },
    {
      title: 'Last rows',
      isPossible: hasAfter && count !== undefined,
      go: () => goTo(BEFORE, count ?? 0),
    },
  ];
  useEffect(() => {
    const turn = response && turns.find(({ title }) => title === place.clicks[0]);
    if (turn?.isPossible) turn.go();
    else if (turn) goTo(place.turn, place.edge);
  }, [response, place.clicks]);
  const click = (title: string) =>
    setChosen((state) => ({ ...placeIn(state), clicks: [...placeIn(state).clicks, title] }));
  return {
    ...{ ...state, page, count, toStart },
    turns: turns.map((turn) => ({ ...turn, go: () => click(turn.title) })),
    isCurrent: response !== undefined,
  };
};

const toPage = (window: TableWindow, { turn, edge }: Place) => {
  const { rows, hasMore } = window;
  if (!turn.startsWith(BEFORE)) return { ...window, first: edge, hasBefore: turn !== '', hasAfter: hasMore };
  const first = hasMore ? edge - rows.length : 0;
  return { ...window, first, hasBefore: hasMore, hasAfter: turn !== BEFORE };
};

/** All rows of a table, or nothing if there are more than `most`. */
export const readRows = async ({ table, query, sort }: Asked, most: number) => {
  const rows: TableWindow['rows'] = [];
  for (;;) {
    const place = { sort, after: rows.at(-1)?.cursor, limit: '500' };
    const window = await get<TableWindow>(pathTo(['tables', table], { ...query, ...place }));
    rows.push(...window.rows);
    if (!window.hasMore) return rows;
    if (rows.length >= most) return undefined;
  }
};
