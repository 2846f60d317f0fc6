import { serve } from '@hono/node-server';
import type { ReaderHandlers } from '../../admin/console/processes/reader.ts';
import { startProcess } from '../../admin/console/processes/requests.ts';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';

/** Serves the console's tables from a stock file, with the console's process that reads it and without a service. */
const [file = ''] = process.argv.slice(2);
const reader = startProcess<ReaderHandlers>(
  'reader.ts',
  { file },
  {
    describeEnd: () => ({ status: 503, message: 'The process has ended.' }),
  },
);
const unused = async (): Promise<never> => {
  throw new Error('The benchmark does not ask for this.');
};
const ask = async (request: Parameters<ReaderHandlers['read']>[0]) => reader.ask('read', request);
const routes = tablesRoutes({ ask, runQuery: unused, readState: unused, readOlder: () => {} }, 'bench');

serve({ fetch: routes.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
process.on('disconnect', () => process.exit());
