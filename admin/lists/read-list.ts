import type { CatalogName } from '../../shared/tables.ts';
import { withProgress } from '../cli/terminal.ts';
import type { Session } from '../deployment/session.ts';
import { type CatalogItem, catalogWriter } from '../store/catalog-writer.ts';
import { compareBy } from '../store/order.ts';

/** The rows of a list by their identifiers. */
export type List = ReadonlyMap<string, CatalogItem>;

export const catalogWriterOf = ({ deployment }: Session, name: CatalogName) =>
  catalogWriter(deployment.dynamodb, name, deployment.tables[name]);

export const readList = (session: Session, name: CatalogName): Promise<List> =>
  withProgress(`Reading ${name}`, undefined, (reach) => catalogWriterOf(session, name).rows(reach));

/** In the order of the API. */
export const readSortedRows = async (session: Session, name: CatalogName): Promise<CatalogItem[]> =>
  [...(await readList(session, name))].sort(compareBy(([identifier]) => identifier)).map(([, item]) => item);
