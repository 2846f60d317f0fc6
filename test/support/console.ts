import type { TableCount, TableWindow } from '../../admin/console/api.ts';
import { startTestConsole, testSession } from '../admin/console/test-console.ts';
import { stockHere } from './stock-here.ts';
import type { Row } from './stock-model.ts';

/** The filter of a table and its sort, as in an address of the page. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * A console with a real stock, which is in threads of its own, or in this thread and on its clock. Only this file knows
 * how its requests look.
 */
export const openConsole = async (data: string, { isInThreads = true } = {}) => {
  const console = await startTestConsole(
    data,
    isInThreads ? {} : { stock: stockHere(await testSession(data)) },
  );

  const ask = async (path: string, parameters: Parameters = {}) => {
    const { status, body } = await console.get(`/api/${path}?${new URLSearchParams(parameters)}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const windowOf = (table: string, parameters: Parameters): Promise<TableWindow> =>
    ask(`tables/${table}`, parameters);

  return {
    ask,
    stop: console.stop,
    read: console.read,
    /** All rows of a table, page by page. */
    rows: async (table: string, parameters: Parameters = {}) => {
      const rows: Row[] = [];
      for (let after = {}; ; ) {
        const window = await windowOf(table, { limit: '500', ...parameters, ...after });
        rows.push(...toRows(window));
        const cursor = window.rows.at(-1)?.cursor;
        if (!window.hasMore || cursor === undefined) return rows;
        after = { after: cursor };
      }
    },
    /** One page as a person gets it, with the addresses of the pages beside it. */
    window: async (table: string, parameters: Parameters = {}) => {
      const window = await windowOf(table, parameters);
      const { after: _, before: __, ...filter } = parameters;
      return {
        rows: toRows(window),
        columns: window.columns,
        hasMore: window.hasMore,
        bytes: Buffer.byteLength(JSON.stringify(window)),
        next: { ...filter, after: window.rows.at(-1)?.cursor ?? '' },
        back: { ...filter, before: window.rows[0]?.cursor ?? '' },
        end: { ...filter, before: '' },
      };
    },
    post: console.post,
    /** One page, and the page before it, which a person reaches from there. */
    page: async (table: string, parameters: Parameters, number: number, size: number) => {
      const limit = { ...parameters, limit: String(size) };
      let window = await windowOf(table, limit);
      let before: Row[] = [];
      for (let turned = 1; turned < number; turned += 1) {
        window = await windowOf(table, { ...limit, after: window.rows.at(-1)?.cursor ?? '' });
        before = toRows(await windowOf(table, { ...limit, before: window.rows[0]?.cursor ?? '' }));
      }
      return { rows: toRows(window), before };
    },
    count: async (table: string, parameters: Parameters = {}) => {
      const { count }: TableCount = await ask(`tables/${table}/count`, parameters);
      return count;
    },
    /** The lines of a download as CSV. */
    download: async (table: string, parameters: Parameters = {}) => {
      const query = new URLSearchParams({ ...parameters, format: 'csv' });
      const { text } = await console.send(`/api/downloads/tables/${table}?${query}`);
      return text.replace('\uFEFF', '').trimEnd().split('\r\n');
    },
  };
};

export type OpenConsole = Awaited<ReturnType<typeof openConsole>>;

const toRows = ({ columns, rows }: TableWindow): Row[] =>
  rows.map(({ cells }) => Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])));

/** The cells of these columns, as one text for each row. */
export const cells = (rows: readonly Row[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? '').join(' '));
