import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import type { ReadOptions } from '../../lists/files/read-rows.ts';
import { openForReading } from '../../stock/database/open-stock.ts';
import { watchProcess } from '../../stock/sql/watch-process.ts';
import type { QueryAddress } from '../addresses.ts';
import { countQuery, readQueryPage } from '../queries/ask-sql.ts';
import { createReaders } from '../queries/read-stock.ts';
import { type DownloadWork, writeDownload } from '../queries/write-download.ts';
import { readProcessData, respondToRequests } from './requests.ts';

/** A file to import. */
export type ImportWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };

const data = readProcessData();
const { file } = data;
let db: DatabaseSync | undefined;

/** Work that may take long, or much memory. */
const watched =
  <TRequest, TResult>(work: (request: TRequest) => TResult) =>
  (request: TRequest) => {
    watchProcess({ reports: true });
    return work(request);
  };

/** What the reader is asked, and the pieces of work with a process of their own, which can be killed midway. */
const handlers = {
  ...createReaders(() => (db ??= openForReading(file))),
  queryPage: watched((address: QueryAddress) => readQueryPage(file, address)),
  queryCount: watched((address: QueryAddress) => countQuery(file, address)),
  download: watched((work: DownloadWork) => writeDownload(work, data)),
  rowsOfFile: watched(async ({ bytes, list, options }: ImportWork) => {
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return readRows(bytes, list, options);
  }),
};
export type WorkerHandlers = typeof handlers;

respondToRequests(handlers);
