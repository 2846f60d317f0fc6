import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { scanPages } from '../../storage/scan-pages.ts';
import { compareBy } from '../../text/words.ts';
import type { List } from '../plan/plan-changes.ts';

export const readList = async (
  { deployment }: { deployment: Pick<Deployment, 'dynamodb' | 'tables'> },
  name: ListName,
  onRead: (rows: number) => void = () => {},
): Promise<List> => {
  const rows = new Map<string, Item>();
  for await (const page of scanPages(deployment.dynamodb, deployment.tables[name])) {
    for (const item of page) rows.set(item[tables[name].partitionKey]?.S ?? '', item);
    onRead(rows.size);
  }
  return rows;
};

/** Returns the rows in the order of the API's response. */
export const sortRows = (list: List): Item[] =>
  [...list].sort(compareBy(([identifier]) => identifier)).map(([, item]) => item);
