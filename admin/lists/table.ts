import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import { by } from '../../shared/order.ts';
import { type CatalogEditor, type CatalogItem, catalogEditor } from '../../shared/store/catalog-editor.ts';
import type { Session } from '../session.ts';
import { withProgress } from '../terminal.ts';

export const editorOf = ({ deployment }: Session, name: CatalogName) =>
  catalogEditor(deployment.dynamodb, name, deployment.tables[name]);

export const readTable = (editor: CatalogEditor, name: CatalogName) =>
  withProgress(`Reading ${catalogs[name].key}s`, undefined, (reach) => editor.rows(reach));

/** In the order that the API has them in. */
export const sortedRows = async (session: Session, name: CatalogName): Promise<CatalogItem[]> => {
  const rows = await readTable(editorOf(session, name), name);
  return [...rows].sort(by(([identifier]) => identifier)).map(([, item]) => item);
};
