import { serve } from '@hono/node-server';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';
import { createQueryThreads } from '../../admin/console/threads/create-query-threads.ts';

/** Serves the console's tables from a stock file, in a process of its own and without a service. */
const [file = ''] = process.argv.slice(2);
const { ask } = createQueryThreads({ file, onUnusable: () => {} });
const unused = async (): Promise<never> => {
  throw new Error('The benchmark does not ask for this.');
};
const routes = tablesRoutes({ ask, runQuery: unused, readState: unused }, 'bench');

serve({ fetch: routes.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
process.on('disconnect', () => process.exit());
