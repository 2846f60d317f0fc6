import { Worker } from 'node:worker_threads';

/** The memory that a query may take. node:sqlite offers no limit: its SQLite does not count its memory. */
export const MAX_BYTES = 2 ** 30;

const INTERVAL_MS = 50;

type Options = {
  maxBytes?: number;
  /** Standard output gets the bytes that the process takes, a line at each look. */
  reports?: boolean;
};

/** A process whose parent has ended gets another parent. */
const scriptFor = (parent: number, { maxBytes = Number.POSITIVE_INFINITY, reports = false }: Options) => `
  const { writeSync } = require('node:fs');
  const end = () => process.kill(process.pid, 'SIGKILL');
  setInterval(() => {
    const bytes = process.memoryUsage.rss();
    // Writing fails once the parent has ended.
    try { if (${reports}) writeSync(1, bytes + '\\n'); } catch { end(); }
    if (bytes > ${maxBytes} || process.ppid !== ${parent}) end();
  }, ${INTERVAL_MS});`;

/** Ends this process if it takes too much memory, or if its parent is killed. A query blocks this thread, so another thread watches. */
export const watchProcess = (options: Options = {}) =>
  new Worker(scriptFor(process.ppid, options), { eval: true }).unref();
