import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import type { TableName } from '../../shared/tables.ts';
import type { Session } from '../deployment/session.ts';
import { excessSize } from '../lists/response-size.ts';
import { type Item, scanPages } from '../store/scan-pages.ts';

export const isList = (table: TableName): table is CatalogName => Object.hasOwn(catalogs, table);

type Tables = { from: string; to: string };

/** As an import sees to it: a list that has the rows of both may be more than the API can answer with. */
export const excessSizeOf = async (
  { deployment }: Session,
  table: TableName,
  { from, to }: Tables,
  overwrites: boolean,
) => {
  if (!isList(table)) return undefined;
  const afterwards = new Map<string | undefined, Item>();
  const { signal } = new AbortController();
  // Of two rows with one key, the later one stays.
  for (const name of overwrites ? [to, from] : [from, to]) {
    for await (const page of scanPages(deployment.dynamodb, name, signal)) {
      for (const item of page) afterwards.set(item[catalogs[table].key]?.S, item);
    }
  }
  return excessSize(table, [...afterwards.values()]);
};
