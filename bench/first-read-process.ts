import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../admin/deployment/session.ts';
import { openStock } from '../admin/stock/database/open-stock.ts';
import { rowsOf } from '../admin/stock/database/rows.ts';
import { createLoader } from '../admin/stock/loading/load-stock.ts';
import { engineClient } from '../local/services/tables.ts';
import { mapValues } from '../shared/object-keys.ts';
import { tables } from '../shared/tables.ts';

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

const [endpoint = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
const file = join(folder, 'stock.sqlite');
const dynamodb = engineClient(endpoint);
const figures = { readUnits: 0, bytes: 0, calls: 0 };

dynamodb.middlewareStack.add((next) => async (args) => {
  Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
  const result = await next(args);
  figures.calls += 1;
  figures.readUnits += Object(result.output).ConsumedCapacity?.CapacityUnits ?? 0;
  return result;
});
dynamodb.middlewareStack.add(
  (next) => async (args) => {
    const result = await next(args);
    figures.bytes += Number(Object(result.response).headers?.['content-length'] ?? 0);
    return result;
  },
  { step: 'deserialize', priority: 'low' },
);

const session: Session = {
  deployment: {
    ...{ name: 'bench', baseUrl: '', plans: [], dynamodb, key: 'bench', now: () => new Date() },
    tables: mapValues(tables, (name) => name),
    caller: async () => 'bench',
  },
  where: { data: '', stack: '' },
  now: new Date(),
};

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
rmSync(folder, { recursive: true });
