import { Worker } from 'node:worker_threads';
import type { ListName } from '../../../shared/tables.ts';
import type { ReadOptions } from '../../lists/files/read-rows.ts';
import { type Query, selectRows } from '../../stock/sql/select-rows.ts';
import type { QueryAddress } from '../addresses.ts';
import type { DownloadWork } from '../queries/write-download.ts';
import { readProcessData, respondToRequests } from './requests.ts';

export type ImportWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };

const data = readProcessData();
const { file } = data;
let opened: ReturnType<typeof selectRows>['rows'] | undefined;

/** Work that may take long, or much memory. Each has a process of its own, which can be killed midway, and loads only what it needs. */
const handlers = {
  queryPage: async (address: QueryAddress) => {
    const { readQueryPage } = await import('../queries/ask-sql.ts');
    return readQueryPage(file, address);
  },
  queryCount: async (address: QueryAddress) => {
    const { countQuery } = await import('../queries/ask-sql.ts');
    return countQuery(file, address);
  },
  openQuery: (query: Query) => {
    const { columns, rows } = selectRows(query);
    opened = rows;
    return columns;
  },
  nextRows: (count: number) =>
    Array.from({ length: count }, () => opened?.next().value ?? []).filter(({ length }) => length > 0),
  download: async (work: DownloadWork) => {
    const { writeDownload } = await import('../queries/write-download.ts');
    return writeDownload(work, data);
  },
  rowsOfFile: async ({ bytes, list, options }: ImportWork) => {
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return readRows(bytes, list, options);
  },
};
export type WorkerHandlers = typeof handlers;

const INTERVAL_MS = 50;

/**
 * Reports the bytes that this process takes, and ends it once its parent has ended, because then nobody reads the reports. A query blocks
 * this thread, so another thread watches. node:sqlite offers no limit: its SQLite does not count its memory.
 */
const WATCH = `
  const { writeSync } = require('node:fs');
  setInterval(() => {
    try { writeSync(1, process.memoryUsage.rss() + '\\n'); } catch { process.kill(process.pid, 'SIGKILL'); }
  }, ${INTERVAL_MS});`;

new Worker(WATCH, { eval: true }).unref();
respondToRequests(handlers);
