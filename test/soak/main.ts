import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { storedBatch } from '../support/batches.ts';
import { type Service, startService } from './service.ts';
import { type Acknowledged, batchWith, fillList, keyOf, sendTraffic } from './traffic.ts';

/*
 * node test/soak/main.ts [--seconds 60]
 *
 * Starts the program of `npm start`, sends mixed traffic of many clients as fast as the machine answers, and compares
 * the tables with every acknowledged request. Exit code 1 if a record is lost, doubled or different, if a response does
 * not fit its request, or if the memory of a process grows.
 */

const WARM_UP_S = 30;
/** Enough clients to keep two cores busy. */
const CLIENTS = Array.from({ length: 12 }, (_, index) => `wms-${index + 1}`);
/** V8 keeps unused memory, so less growth proves no leak. A longer run finds a smaller leak. */
const ALLOWED_GROWTH_MB = 96;
const SHOWN_FAULTS = 10;
/** A batch of 40,000 entries has 11 parts. */
const MAX_PARTS = 12;

const say = (line: string) => process.stdout.write(`${line}\n`);

const compareChanges = async ({ tables }: Service, { changes }: Acknowledged) => {
  const rows = await tables.rows('ChangeTimestamps');
  const stored = new Map(
    rows.map(({ Client, Timestamp, RequestId }) => [keyOf(`${Client?.S}`, `${Timestamp?.S}`), RequestId?.S]),
  );
  return [
    ...[...changes.keys()].filter((key) => !stored.has(key)).map((key) => `the change ${key} is lost`),
    ...[...stored]
      .filter(([key, requestId]) => changes.get(key) !== requestId)
      .map(([key]) => `the change ${key} was not acknowledged, or has another request id`),
  ];
};

/** Reads each snapshot by its keys, which fails if it is not whole, without the service's own code. */
const compareSnapshots = async ({ tables }: Service, { snapshots }: Acknowledged) => {
  const faults: string[] = [];
  for (const [key, { client, id, size, serial }] of snapshots) {
    const stored = await tables.batch(client, id).catch(String);
    if (typeof stored === 'string') faults.push(stored);
    else if (!isDeepStrictEqual(stored, storedBatch(batchWith(size, serial))))
      faults.push(`the snapshot ${key} has other entries than were sent`);
  }
  for (const client of CLIENTS) {
    const ids = [await tables.snapshotIds(client)];
    for (let part = 2; part <= MAX_PARTS; part += 1) ids.push(await tables.partIds(client, part));
    const surplus = new Set(ids.flat().filter((id) => !snapshots.has(keyOf(client, id))));
    faults.push(...[...surplus].map((id) => `the snapshot ${id} of ${client} was not acknowledged`));
  }
  return faults;
};

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** Compares the largest process of each kind in the first and in the second half of the samples. */
const compareMemory = (samples: readonly ReadonlyMap<string, number>[]) => {
  const half = Math.floor(samples.length / 2);
  const kinds = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return [...kinds].sort().flatMap((kind) => {
    const megabytes = samples.map((sample) => sample.get(kind) ?? 0);
    const [before, after] = [median(megabytes.slice(0, half)), median(megabytes.slice(half))];
    say(`${kind}: ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`);
    return after > before + ALLOWED_GROWTH_MB ? [`the memory of ${kind} grows`] : [];
  });
};

const soak = async (folder: string, seconds: number) => {
  const service = await startService(folder, CLIENTS);
  try {
    await fillList(service);
    say(`Sending for ${WARM_UP_S} s to warm up, then for ${seconds} s …`);
    const samples: Map<string, number>[] = [];
    const timer = setInterval(() => samples.push(service.memory()), 1_000);
    const { acknowledged, counts, faults } = await sendTraffic(service, WARM_UP_S + seconds);
    clearInterval(timer);
    for (const [kind, count] of counts) say(`${kind}: ${count}`);
    service.ended.throwIfAborted();
    faults.push(
      ...(await compareChanges(service, acknowledged)),
      ...(await compareSnapshots(service, acknowledged)),
      ...compareMemory(samples.slice(samples.length * (WARM_UP_S / (WARM_UP_S + seconds)))),
    );
    const { exitCode, complaints } = await service.stop();
    faults.push(...complaints.map((line) => `logged: ${line}`));
    if (exitCode !== 0) faults.push(`SIGTERM ends the service with exit code ${exitCode}`);
    return faults;
  } finally {
    await service.stop();
  }
};

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-soak-'));
try {
  const faults = await soak(folder, Number(values.seconds));
  for (const fault of faults.slice(0, SHOWN_FAULTS)) say(`FAILED: ${fault}`);
  say(faults.length === 0 ? 'No fault.' : `${faults.length} faults.`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
