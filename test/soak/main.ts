import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checksOf } from './checks.ts';
import { watchMemory } from './memory.ts';
import { printReport, type Report } from './report.ts';
import { fillLists } from './requests.ts';
import { startService } from './service.ts';
import { runTraffic, WARM_UP_S } from './traffic.ts';
import { verifyChanges, verifySnapshots } from './verify.ts';

/*
 * Sends as much mixed traffic of many clients as the machine bears to the program of `npm start`. Then compares all
 * that was acknowledged with the tables. Runs on Linux alone: npm run soak -- [--seconds N] [--json]
 */

/** As many as keep two cores busy; each has its own credentials. */
const CLIENTS = Array.from({ length: 12 }, (_, index) => `wms-${String(index + 1).padStart(2, '0')}`);
/** A shorter run may not answer every kind of request. */
const MIN_SECONDS = 10;

const readOptions = () => {
  if (process.platform !== 'linux') throw new Error('The soak runs on Linux alone: it reads /proc.');
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
  });
  const seconds = Number(values.seconds);
  if (!(seconds >= MIN_SECONDS)) throw new Error(`--seconds takes a number from ${MIN_SECONDS}.`);
  return { seconds, isJson: values.json };
};

const log = (text: string) => process.stderr.write(`${text}\n`);

const soak = async (folder: string, seconds: number, signal: AbortSignal): Promise<Report> => {
  log('Synthesizes and starts the service …');
  const service = await startService(folder, CLIENTS, signal);
  try {
    await fillLists(service.tables);
    log(`Sends for ${WARM_UP_S} s to warm up, and for ${seconds} s …`);
    const watch = watchMemory(service.pid);
    const { acknowledged, results } = await runTraffic({
      outputs: service.outputs,
      seconds,
      onWarm: watch.start,
      signal: AbortSignal.any([signal, service.ended]),
    });
    const memory = watch.end();
    service.ended.throwIfAborted();
    signal.throwIfAborted();
    log('Compares with the tables …');
    const changes = await verifyChanges(service, acknowledged);
    const snapshots = await verifySnapshots(service, acknowledged);
    const end = await service.stop();
    return {
      seconds: results.seconds,
      clients: CLIENTS.length,
      requests: results.requests,
      kept: { changes: changes.kept, snapshots: snapshots.kept },
      memory,
      checks: checksOf({ results, changes, snapshots, memory, end }),
    };
  } finally {
    await service.stop();
  }
};

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-soak-'));
try {
  const { seconds, isJson } = readOptions();
  const report = await soak(folder, seconds, interrupted.signal);
  if (isJson) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else printReport(report);
  if (report.checks.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) log(String(error));
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
