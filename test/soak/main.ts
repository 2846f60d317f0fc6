import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Check, checksOf, memoryChecksOf, neighbourChecksOf } from './checks.ts';
import { type MemoryRow, watchMemory } from './memory.ts';
import { flooder, runNeighbours } from './neighbours.ts';
import { printReport, type Report } from './report.ts';
import { fillLists } from './requests.ts';
import { type Service, startService } from './service.ts';
import type { Results } from './statistics.ts';
import { runTraffic, WARM_UP_S } from './traffic.ts';
import { type Acknowledged, verifyChanges, verifySnapshots } from './verify.ts';

/*
 * Starts the program of `npm start`, sends mixed traffic of many clients as fast as the machine answers, and compares
 * the tables with every acknowledged request. With --neighbours, sends moderate traffic without and then with abusive
 * clients. Runs only on Linux: npm run soak -- [--neighbours] [--seconds N] [--json]
 */

const namesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `wms-${String(index + 1).padStart(2, '0')}`);
/** Enough clients to keep two cores busy. */
const CLIENTS = namesOf(12);
const WELL_BEHAVED = namesOf(10);
/** A shorter run may not reach every kind of request. */
const MIN_SECONDS = 10;

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string' },
      neighbours: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { neighbours, json } = values;
  const seconds = Number(values.seconds ?? (neighbours ? 120 : 60));
  if (!(seconds >= MIN_SECONDS)) throw new Error(`--seconds must be a number of ${MIN_SECONDS} or more.`);
  return { seconds, hasNeighbours: neighbours, isJson: json };
};

const log = (text: string) => process.stderr.write(`${text}\n`);

type Sent = { acknowledged: Acknowledged; results: Results; memory?: MemoryRow[]; checks: Check[] };

const sendAll = async ({ outputs, pid }: Service, seconds: number, signal: AbortSignal): Promise<Sent> => {
  log(`Sending for ${WARM_UP_S} s to warm up, then for ${seconds} s …`);
  const watch = watchMemory(pid);
  const sent = await runTraffic({ outputs, seconds, onWarm: watch.start, signal });
  const memory = watch.end();
  return { ...sent, memory, checks: memoryChecksOf(memory) };
};

const sendBesideNeighbours = async (
  { outputs }: Service,
  seconds: number,
  signal: AbortSignal,
): Promise<Sent> => {
  log(`Sending for ${seconds} s without neighbours, then for ${seconds} s with neighbours …`);
  const sent = await runNeighbours({ outputs, seconds, signal });
  return { ...sent, checks: neighbourChecksOf(sent.results, sent.heldConnections) };
};

type Options = ReturnType<typeof readOptions>;

const soak = async (folder: string, options: Options, signal: AbortSignal): Promise<Report> => {
  const { seconds, hasNeighbours } = options;
  log('Synthesizing and starting the service …');
  const clients = hasNeighbours ? [...WELL_BEHAVED, flooder] : CLIENTS;
  const service = await startService(folder, { clients, isThrottled: hasNeighbours }, signal);
  try {
    await fillLists(service.tables);
    const send = hasNeighbours ? sendBesideNeighbours : sendAll;
    const sent = await send(service, seconds, AbortSignal.any([signal, service.ended]));
    const { acknowledged, results, memory, checks } = sent;
    service.ended.throwIfAborted();
    signal.throwIfAborted();
    log('Comparing with the tables …');
    const changes = await verifyChanges(service, acknowledged);
    const snapshots = await verifySnapshots(service, acknowledged);
    const end = await service.stop();
    return {
      seconds: results.seconds,
      clients: clients.length,
      requests: results.requests,
      acknowledged: { changes: changes.acknowledged, snapshots: snapshots.acknowledged },
      ...(memory ? { memory } : {}),
      checks: [...checksOf({ results, changes, snapshots, end }), ...checks],
    };
  } finally {
    await service.stop();
  }
};

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-soak-'));
try {
  const options = readOptions();
  const report = await soak(folder, options, interrupted.signal);
  if (options.isJson) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else printReport(report);
  if (report.checks.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) log(String(error));
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
