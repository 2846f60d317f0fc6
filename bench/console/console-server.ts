import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serve } from '@hono/node-server';
import { startStock } from '../../admin/console/processes/start-stock.ts';
import { tablesRoutes } from '../../admin/console/server/tables-routes.ts';
import { openSession } from '../../admin/deployment/session.ts';

/** Serves the console's tables with all of its processes. Responds to each message with the longest block of this process since the last one. */
const [data = ''] = process.argv.slice(2);
const session = await openSession({ local: true, data, stack: '' });
const stock = startStock(session);
const { fetch } = tablesRoutes(stock, session.deployment);

const delay = monitorEventLoopDelay({ resolution: 1 });
process.on('message', () => {
  process.send?.(delay.max / 1e6);
  delay.reset();
});
process.on('disconnect', async () => {
  await stock.end();
  process.exit();
});
serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  // Leaves out the start.
  delay.enable();
  process.send?.(port);
});
