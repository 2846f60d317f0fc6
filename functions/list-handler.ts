import { tableName } from '../shared/environment.ts';
import type { CatalogName } from '../shared/tables.ts';
import { apiHandlerWithoutBody, ok } from './http/api-handler.ts';
import { type Catalog, catalogReader } from './store/catalog-reader.ts';
import { storeClient } from './store/store-client.ts';

export const createHandler = (name: CatalogName, catalog: Catalog) =>
  apiHandlerWithoutBody(async ({ signal }) => {
    const { rows, incompleteRowCount } = await catalog.list(signal);
    return ok({ [name]: rows }, { entryCount: rows.length, incompleteRowCount });
  });

export const listHandler = (name: CatalogName) =>
  createHandler(name, catalogReader(storeClient(), name, tableName(name)));
