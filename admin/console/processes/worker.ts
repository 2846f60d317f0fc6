import type { ListName } from '../../../shared/tables.ts';
import type { ReadOptions } from '../../lists/files/read-rows.ts';
import { MAX_BYTES, watchProcess } from '../../stock/sql/watch-process.ts';
import { countQuery, type QueryWork, readQueryPage } from '../queries/ask-sql.ts';
import { type DownloadWork, writeDownload } from '../queries/write-download.ts';
import { respondToRequests } from './requests.ts';

/** Reads the rows of a file to import. */
export type ImportWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };

/** Each piece of work has a process of its own, which can be killed midway and has its own memory. */
const handlers = {
  page: (work: QueryWork) => {
    watchProcess({ maxBytes: MAX_BYTES, reports: true });
    return readQueryPage(work);
  },
  count: (work: QueryWork) => {
    watchProcess({ maxBytes: MAX_BYTES, reports: true });
    return countQuery(work);
  },
  download: (work: DownloadWork) => {
    watchProcess({ maxBytes: MAX_BYTES, reports: true });
    return writeDownload(work);
  },
  file: async ({ bytes, list, options }: ImportWork) => {
    // The heap of a process that reads a file is limited in another way.
    watchProcess();
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return readRows(bytes, list, options);
  },
};
export type WorkerHandlers = typeof handlers;

respondToRequests(() => handlers);
