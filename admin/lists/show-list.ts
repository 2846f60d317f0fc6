import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import { type CatalogEditor, type CatalogItem, catalogEditor } from '../../shared/store/catalog-editor.ts';
import type { Session } from '../session.ts';
import { showProgress } from '../terminal.ts';
import { shownColumns } from './export-rows.ts';

export const editorOf = ({ deployment }: Session, name: CatalogName) =>
  catalogEditor(deployment.dynamodb, name, deployment.tables[name]);

export const readTable = async (editor: CatalogEditor, name: CatalogName) => {
  const progress = showProgress(`Reading ${catalogs[name].key}s`);
  try {
    return await editor.rows(progress.reach);
  } finally {
    progress.end();
  }
};

/** In the order that the API has them in. */
export const sortedRows = async (session: Session, name: CatalogName): Promise<CatalogItem[]> => {
  const rows = await readTable(editorOf(session, name), name);
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
};

export const showList = async (session: Session, name: CatalogName) => {
  const items = await sortedRows(session, name);
  await session.printRows(shownColumns(items, catalogs[name].key), items);
};
