import { cpus } from 'node:os';
import { type OperationName, operations } from '../../../shared/operations.ts';
import { batchOf } from '../../../test/support/batches.ts';
import { rounded } from '../../harness/statistics.ts';
import { tablesOf } from '../../harness/tables.ts';
import { section } from '../section.ts';
import { documentThroughput, type Load, percentile, Throughput } from './document.ts';
import { load, type Sent } from './load.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { processorTime, takenBetween } from './processor-time.ts';

const CONNECTIONS = [1, 16];
/** For each connection, since a process of the function is started for each. */
const WARM_UP_MS = { once: 600, each: 150 };
const MEASURED_MS = 3_000;
const ENTRIES = 200;
const CODES = 1_000;

type Kind = { name: string; operation: OperationName; body?: () => string; codes?: number };

const FIRST_CHANGE = Date.parse('2026-01-01T00:00:00.000Z');
let changes = 0;
/** One that was never sent before: a repeated one is not written again. */
const change = () => {
  changes += 1;
  const instant = new Date(FIRST_CHANGE + changes).toISOString();
  return JSON.stringify({ Timestamp: instant.replace('.', ',') });
};
const batch = JSON.stringify(batchOf(ENTRIES));

const kinds: Kind[] = [
  { name: 'POST changes', operation: 'post-change', body: change },
  {
    name: `POST material-stock-balance, ${ENTRIES} entries`,
    operation: 'post-material-stock-balance',
    body: () => batch,
  },
  { name: 'GET purchase-orders, none', operation: 'get-purchase-orders' },
  { name: 'GET material-codes, none', operation: 'get-material-codes' },
  { name: `GET material-codes, ${CODES}`, operation: 'get-material-codes', codes: CODES },
];

const requestsOf =
  ({ url, authorization }: LocalService, { operation, body }: Kind) =>
  (): Sent => {
    const { method, path } = operations[operation];
    return {
      method,
      url: `${url}${path.split('/').at(-1)}`,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      ...(body ? { body: body() } : {}),
    };
  };

const measureLoad = async (service: LocalService, kind: Kind, connections: number): Promise<Load> => {
  const next = requestsOf(service, kind);
  await load(next, connections, WARM_UP_MS.once + connections * WARM_UP_MS.each);
  const before = processorTime(service.pid);
  const own = process.cpuUsage();
  const { times, tookMs } = await load(next, connections, MEASURED_MS);
  const { user, system } = process.cpuUsage(own);
  const taken = takenBetween(before, processorTime(service.pid));
  const ownMs = (user + system) / 1_000;
  const all = taken.length > 0 ? [...taken, { role: 'what sends', ms: ownMs }] : [];
  return {
    name: kind.name,
    connections,
    requests: times.length,
    perSecond: rounded((times.length * 1_000) / tookMs, 0),
    medianMs: rounded(percentile(times, 0.5), 2),
    p99Ms: rounded(percentile(times, 0.99), 2),
    busy: rounded(all.reduce((sum, { ms }) => sum + ms, 0) / (tookMs * cpus().length), 3),
    processor: all.map(({ role, ms }) => ({ role, msARequest: rounded(ms / times.length, 3) })),
  };
};

const measure = async (say: (line: string) => void) => {
  const service = await startLocalService();
  const { fill } = tablesOf(service.engine);
  try {
    const loads: Load[] = [];
    for (const kind of kinds) {
      say(kind.name);
      if (kind.codes) await fill(service.tables['MaterialCodes'] ?? '', kind.operation, kind.codes);
      for (const connections of CONNECTIONS) loads.push(await measureLoad(service, kind, connections));
    }
    return { cores: cpus().length, seconds: MEASURED_MS / 1_000, loads };
  } finally {
    await service.stop();
  }
};

export const throughput = section({
  name: 'throughput',
  schema: Throughput,
  measure,
  document: documentThroughput,
});
