import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../admin/deployment/session.ts';
import { openStock } from '../admin/stock/database/open-stock.ts';
import { rowsOf } from '../admin/stock/database/rows.ts';
import { createLoader } from '../admin/stock/loading/load-stock.ts';
import { watchUnits } from './service.ts';

/** `processorSeconds` are of the process that reads, without the engine. */
export type FirstRead = {
  newestSeconds: number;
  seconds: number;
  processorSeconds: number;
  readUnits: number;
  bytes: number;
  batches: number;
  calls: number;
  peakMb: number;
  fileMb: number;
};

const [data = ''] = process.argv.slice(2);
const file = join(data, 'stock.sqlite');
const session = await openSession({ local: true, data, stack: '' });
const { dynamodb } = session.deployment;
const figures = { readUnits: 0, bytes: 0, calls: 0 };

watchUnits(dynamodb, (units) => {
  figures.calls += 1;
  figures.readUnits += units;
});
dynamodb.middlewareStack.add(
  (next) => async (args) => {
    const result = await next(args);
    figures.bytes += Number(Object(result.response).headers?.['content-length'] ?? 0);
    return result;
  },
  { step: 'deserialize', priority: 'low' },
);

const db = openStock(file);
const load = createLoader(db);
const secondsOf = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};
const before = process.cpuUsage();
const newestSeconds = await secondsOf(() => load(session, { needs: { batches: 'newestTwo' } }));
const olderSeconds = await secondsOf(() => load(session));
const { user, system } = process.cpuUsage(before);
db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
const [{ batches } = { batches: 0 }] = rowsOf<{ batches: number }>(
  db.prepare('SELECT count(*) AS batches FROM batch'),
);
process.send?.({
  ...{ ...figures, batches },
  newestSeconds,
  seconds: newestSeconds + olderSeconds,
  processorSeconds: (user + system) / 1e6,
  peakMb: (process.resourceUsage().maxRSS * 1_024) / 1e6,
  fileMb: statSync(file).size / 1e6,
} satisfies FirstRead);
db.close();
dynamodb.destroy();
