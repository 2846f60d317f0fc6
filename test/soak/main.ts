import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checksOf } from './checks.ts';
import { fillLists } from './lists.ts';
import { memoryWatch } from './memory.ts';
import { startService } from './program.ts';
import { type Report, textOf } from './report.ts';
import { runTraffic, WARM_UP_S } from './traffic.ts';
import { verifyChanges, verifySnapshots } from './verify.ts';

/*
 * As much mixed traffic of many warehouses as the machine bears, against the program of `npm start`; afterwards
 * everything that was acknowledged is counted against the tables. Not part of the tests, since it takes minutes, and
 * for Linux alone, since it reads of processes and their memory in /proc: npm run soak -- [--seconds N] [--json]
 */

/** As many as keep two cores busy; each has credentials of its own. */
const CLIENTS = Array.from({ length: 12 }, (_, index) => `wms-${String(index + 1).padStart(2, '0')}`);

const readOptions = () => {
  if (process.platform !== 'linux') throw new Error('The soak runs on Linux alone: it reads /proc.');
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
  });
  const seconds = Number(values.seconds);
  if (!(seconds >= MIN_SECONDS)) throw new Error(`--seconds takes a number from ${MIN_SECONDS}.`);
  return { seconds, isJson: values.json };
};

/** Below that, there may be kinds of requests of which none has been answered. */
const MIN_SECONDS = 10;

const tell = (text: string) => process.stderr.write(`${text}\n`);

const soak = async (folder: string, seconds: number, signal: AbortSignal): Promise<Report> => {
  tell('Synthesizes and starts the service …');
  const service = await startService(folder, CLIENTS, signal);
  try {
    const lists = await fillLists(service);
    tell(`Sends for ${WARM_UP_S} s to warm up, and for ${seconds} s …`);
    const watch = memoryWatch(service.pid);
    const { ledger, tally } = await runTraffic({
      outputs: service.outputs,
      lists,
      seconds,
      onWarm: watch.start,
      signal: AbortSignal.any([signal, service.ended]),
    });
    const memory = watch.end();
    service.ended.throwIfAborted();
    signal.throwIfAborted();
    tell('Counts against the tables …');
    const changes = await verifyChanges(service, ledger);
    const snapshots = await verifySnapshots(service, ledger);
    const ending = await service.stop();
    return {
      seconds: tally.seconds,
      clients: CLIENTS.length,
      requests: tally.rows,
      kept: { changes: changes.kept, snapshots: snapshots.kept },
      memory,
      checks: checksOf({ tally, changes, snapshots, memory, ending }),
    };
  } finally {
    await service.stop();
  }
};

const asked = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => asked.abort());
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-soak-'));
try {
  const { seconds, isJson } = readOptions();
  const report = await soak(folder, seconds, asked.signal);
  process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
  if (report.checks.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  if (!asked.signal.aborted) tell(String(error));
  process.exitCode = asked.signal.aborted ? 130 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
