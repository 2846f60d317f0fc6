import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serve } from '@hono/node-server';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';
import { createQueryThreads } from '../../admin/console/threads/query-threads.ts';

export type Health = { port: number } | { blockMs: number; rssMb: number };

/** The console's tables over a file, in a process of their own, without a service to read. */
const [file = ''] = process.argv.slice(2);
const { ask, end } = createQueryThreads({ file, onUnusable: () => {} });
const unused = async (): Promise<never> => {
  throw new Error('The benchmark does not ask for this.');
};
const stock = {
  ask,
  end,
  readState: unused,
  readNow: unused,
  readAtNextRequest: () => {},
  write: unused,
  query: unused,
  changeLists: unused,
  changeClients: unused,
};
const delay = monitorEventLoopDelay({ resolution: 1 });

const send = (health: Health) => process.send?.(health);
serve({ fetch: tablesRoutes(stock, 'bench').fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  delay.enable();
  send({ port });
});
process.on('message', () => send({ blockMs: delay.max / 1e6, rssMb: process.memoryUsage.rss() / 1e6 }));
process.on('disconnect', () => process.exit());
