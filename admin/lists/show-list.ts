import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import type { Session } from '../deployment/session.ts';
import { shownColumns } from './export-rows.ts';
import { sortedRows } from './table.ts';

export const showList = async (session: Session, name: CatalogName) => {
  const items = await sortedRows(session, name);
  await session.printRows(shownColumns(items, catalogs[name].key), items);
};
