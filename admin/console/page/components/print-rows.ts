import { flushSync } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { AddressTexts } from '../../addresses.ts';
import type { TablePage } from '../../api.ts';
import { formatNumber } from '../format.ts';
import { get, pathTo } from '../source.ts';
import { useWork } from '../use-response.ts';
import { MAX_PRINTED } from './pager.tsx';

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

/** `shown` is the page, or all rows of the table while the browser prints them. */
export const usePrint = (page: TablePage | undefined, readAll: () => Promise<TablePage | undefined>) => {
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
