import type { TableCount, TablePage } from '../../admin/console/api.ts';
import { startTestConsole, testSession } from '../admin/console/test-console.ts';
import { stockHere } from './stock-here.ts';
import type { Row } from './stock-model.ts';

/** The filter of a table and its sort, as in an address of the page. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * A console with a real stock, which is in threads of its own, or in this thread and on its clock. Only this file knows
 * how its requests look.
 */
export const openConsole = async (data: string, { isInThreads = true, readsOnce = false } = {}) => {
  const console = await startTestConsole(
    data,
    isInThreads ? {} : { stock: stockHere(await testSession(data), { readsOnce }) },
  );

  const ask = async (path: string, parameters: Parameters = {}) => {
    const { status, body } = await console.get(`/api/${path}?${new URLSearchParams(parameters)}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const pageOf = (table: string, parameters: Parameters): Promise<TablePage> =>
    ask(`tables/${table}`, { checked: 'yes', ...parameters });

  return {
    ask,
    stop: console.stop,
    read: console.read,
    /** All rows of a table, page by page. */
    rows: async (table: string, parameters: Parameters = {}) => {
      const rows: Row[] = [];
      for (let number = 1; ; number += 1) {
        const page = await pageOf(table, { limit: '500', ...parameters, page: String(number) });
        rows.push(...toRows(page));
        if (!page.hasMore) return rows;
      }
    },
    /** One page as a person gets it. */
    page: async (table: string, parameters: Parameters = {}) => {
      const page = await pageOf(table, parameters);
      return { ...page, rows: toRows(page), bytes: Buffer.byteLength(JSON.stringify(page)) };
    },
    post: console.post,
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

const toRows = ({ columns, rows }: TablePage): Row[] =>
  rows.map((cells) => Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])));

/** The cells of these columns, as one text for each row. */
export const cells = (rows: readonly Row[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column] ?? '').join(' '));
