import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { withProgress } from '../cli/terminal.ts';
import type { Session } from '../deployment/session.ts';
import { type CatalogItem, type CatalogWriter, catalogWriter } from '../store/catalog-writer.ts';
import { by } from '../store/order.ts';

export const catalogWriterOf = ({ deployment }: Session, name: CatalogName) =>
  catalogWriter(deployment.dynamodb, name, deployment.tables[name]);

export const readTable = (editor: CatalogWriter, name: CatalogName) =>
  withProgress(`Reading ${catalogs[name].key}s`, undefined, (reach) => editor.rows(reach));

/** In the order that the API has them in. */
export const sortedRows = async (session: Session, name: CatalogName): Promise<CatalogItem[]> => {
  const rows = await readTable(catalogWriterOf(session, name), name);
  return [...rows].sort(by(([identifier]) => identifier)).map(([, item]) => item);
};
