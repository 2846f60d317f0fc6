import { Worker } from 'node:worker_threads';

/** A process whose parent has ended gets another parent. */
const scriptFor = (parent: number) =>
  `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL'); }, 500);`;

/** Ends this process if its parent is killed. A query blocks this thread, so another thread watches. */
export const endWithParent = () => new Worker(scriptFor(process.ppid), { eval: true }).unref();
