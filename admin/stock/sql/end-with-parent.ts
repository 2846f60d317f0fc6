import { Worker } from 'node:worker_threads';

/** A process whose parent has ended has another one. */
const watch = (parent: number) =>
  `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL'); }, 500);`;

/** Ends this process if its parent is killed. A query blocks this thread, so another one looks. */
export const endWithParent = () => new Worker(watch(process.ppid), { eval: true }).unref();
