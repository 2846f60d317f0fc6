import type { ListName } from '../../../shared/tables.ts';
import type { ReadOptions } from '../../lists/files/read-rows.ts';
import { watchProcess } from '../../stock/sql/watch-process.ts';
import type { QueryAddress } from '../addresses.ts';
import { countQuery, readQueryPage } from '../queries/ask-sql.ts';
import { type DownloadWork, writeDownload } from '../queries/write-download.ts';
import { readProcessData, respondToRequests } from './requests.ts';

export type ImportWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };

const data = readProcessData();
const { file } = data;

/** Work that may take long, or much memory. Each has a process of its own, which can be killed midway. */
const handlers = {
  queryPage: (address: QueryAddress) => readQueryPage(file, address),
  queryCount: (address: QueryAddress) => countQuery(file, address),
  download: (work: DownloadWork) => writeDownload(work, data),
  rowsOfFile: async ({ bytes, list, options }: ImportWork) => {
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return readRows(bytes, list, options);
  },
};
export type WorkerHandlers = typeof handlers;

watchProcess({ reports: true });
respondToRequests(handlers);
