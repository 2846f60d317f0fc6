import { selectRows } from '../../stock/sql/select-rows.ts';
import type { QueryResult } from '../api.ts';
import { fitRows } from '../queries/fit-rows.ts';

const MAX_ROWS = 1_000;

/** The first rows of a query that somebody typed, in JSON. */
export const askSql = (query: Parameters<typeof selectRows>[0]): string => {
  const { columns, rows } = selectRows(query);
  // One more shows whether there are more.
  const first = Iterator.from(rows)
    .take(MAX_ROWS + 1)
    .map((cells) => ({ cells }))
    .toArray();
  const shown = fitRows(first.slice(0, MAX_ROWS), columns).map(({ cells }) => cells);
  return JSON.stringify({ columns, rows: shown, isCut: shown.length < first.length } satisfies QueryResult);
};
