import { serve } from '@hono/node-server';
import { createProcess } from '../../admin/console/processes/requests.ts';
import type { WorkerHandlers } from '../../admin/console/processes/worker.ts';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';
import { openForReading } from '../../admin/stock/database/open-stock.ts';
import { readChoices, readKinds } from '../../admin/stock/tables/overview.ts';

/** Serves the console's tables from a stock file, with the console's process that reads it and without a service. */
const [file = ''] = process.argv.slice(2);
const data = { file, where: { data: '', stack: '' }, maxGigabytes: 1 };
const reader = createProcess<WorkerHandlers>('worker.ts', data, {
  ended: { status: 503, message: 'The process has ended.' },
});
const db = openForReading(file);
const unused = async (): Promise<never> => {
  throw new Error('The benchmark does not ask for this.');
};
const stock = {
  ask: reader.ask,
  readChoices: async () => readChoices(db),
  readKinds: async () => readKinds(db),
  ...{ runQuery: unused, readState: unused, readOlder: () => {} },
};
const routes = tablesRoutes(stock, 'bench');

serve({ fetch: routes.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
process.on('disconnect', () => process.exit());
