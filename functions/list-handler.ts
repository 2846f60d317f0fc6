import { tableName } from '../shared/environment.ts';
import type { ListName } from '../shared/tables.ts';
import { apiHandlerWithoutBody, ok } from './http/api-handler.ts';
import { type ListReader, listReader } from './storage/list-reader.ts';
import { storageClient } from './storage/storage-client.ts';

export const createHandler = (name: ListName, list: ListReader) =>
  apiHandlerWithoutBody(async ({ signal }) => {
    const { rows, incompleteRowCount } = await list.read(signal);
    return ok({ [name]: rows }, { rowCount: rows.length, incompleteRowCount });
  });

export const listHandler = (name: ListName) =>
  createHandler(name, listReader(storageClient(), name, tableName(name)));
