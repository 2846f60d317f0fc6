import { serve } from '@hono/node-server';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';
import { createQueryThreads } from '../../admin/console/threads/create-query-threads.ts';

/** The console's tables over a file, in a process of their own, without a service to read. */
const [file = ''] = process.argv.slice(2);
const { ask } = createQueryThreads({ file, onUnusable: () => {} });
const unused = async (): Promise<never> => {
  throw new Error('The benchmark does not ask for this.');
};
const routes = tablesRoutes({ ask, runQuery: unused, readState: unused }, 'bench');

serve({ fetch: routes.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
process.on('disconnect', () => process.exit());
