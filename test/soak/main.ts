import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Outputs } from '../../local/run.ts';
import { batchOf, storedBatch, timestampOf } from '../support/batches.ts';
import { addClient } from '../support/clients.ts';
import { basic, send } from '../support/http-client.ts';
import { familyOf } from '../support/processes.ts';
import { projectFolder, runApp } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';

/*
 * node test/soak/main.ts [--seconds 90]
 *
 * Starts the program of `npm start`, sends mixed traffic of many clients as fast as the machine responds, and compares
 * the tables with every acknowledged request. Exit code 1 if a record is lost, doubled or different, if a response does
 * not fit its request, or if the memory of a process grows.
 */

/** Enough clients to keep two cores busy. */
const CLIENTS = Array.from({ length: 12 }, (_, index) => `wms-${index + 1}`);
/** V8 keeps unused memory, so less growth proves no leak. A longer run finds a smaller leak. */
const ALLOWED_GROWTH_MB = 96;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the program of `npm start` with its data in this folder. */
const startService = async (folder: string) => {
  const [assembly, data] = [join(folder, 'assembly'), join(folder, 'data')];
  const { exitCode, stderr } = await runApp({ outdir: assembly, settings: {}, bundling: true });
  if (exitCode !== 0) throw new Error(`The synthesis failed: ${stderr}`);

  const args = ['--port', '0', '--quiet', '--no-throttle', '--assembly', assembly, '--data', data];
  const child = spawn(process.execPath, ['local/cli/main.ts', ...args], { cwd: projectFolder });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  const ended = new AbortController();
  child.once('close', () => ended.abort(new Error(`The service ended: ${output.stderr}`)));
  while (!output.stdout.includes('Ready at')) await once(child.stdout, 'data', { signal: ended.signal });

  const outputs: Outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const tables = new TableReader(outputs);
  const passwords = new Map<string, string>();
  for (const name of CLIENTS)
    passwords.set(name, await addClient(tables.client, tables.names['Clients'] ?? '', name));
  return {
    outputs,
    passwords,
    tables,
    /** Aborted when the program has ended for any reason. */
    ended: ended.signal,
    processes: () => familyOf(child.pid ?? 0),
    /** Ends the program, and returns what failed at its end. Its stderr includes that of its functions. */
    stop: async () => {
      child.kill('SIGTERM');
      if (!ended.signal.aborted) await once(child, 'close');
      const logged = output.stderr.split('\n').filter(Boolean);
      const exit = child.exitCode === 0 ? [] : [`SIGTERM ends the service with exit code ${child.exitCode}`];
      return [...logged.map((line) => `logged: ${line}`), ...exit];
    },
  };
};

type Service = Awaited<ReturnType<typeof startService>>;

/** In the order of the codes, which is the order of the response. */
const MaterialCodes = Array.from({ length: 2_000 }, (_, index) => ({
  MaterialCode: `Сталь-ABC/${String(index).padStart(5, '0')}`,
  Name: `Лист ${index} мм`,
  Weight: index / 8,
}));

type Batch = { client: string; size: number; serial: number };

/** The serial number changes only the balances. */
const batchWith = ({ size, serial }: Batch) => ({
  MaterialCodes: batchOf(size).MaterialCodes.map((entry) => ({
    ...entry,
    StockBalance: entry.StockBalance + serial,
  })),
});

/** After a failure, because requests to a stopped service fail at once, and after a large batch. */
const PAUSE_MS = { failure: 200, large: 5_000 };
const FIRST_CHANGE = Date.UTC(2026, 2, 1);

/** Every client waits for each response. The first sends only large batches. Returns what the service acknowledged. */
const sendTraffic = async ({ outputs, passwords, ended }: Service, seconds: number) => {
  /** The request id of each change, by client and timestamp. No client name has a space. */
  const changes = new Map<string, string>();
  const snapshots = new Map<string, Batch>();
  const timestamps = new Map<string, string>();
  const failures: string[] = [];
  let serial = 0;

  const ask = async (client: string, path: string, body?: object) => {
    const Authorization = basic(client, passwords.get(client) ?? '');
    const response = await send(`${outputs.BaseUrl}/rest/warehouse-control/${path}`, {
      headers: { Authorization, 'Content-Type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    if (response.status !== 200) throw new Error(`${response.status} ${response.text.slice(0, 200)}`);
    return response;
  };

  /** Each returns whether the response fits. */
  const sendChange = async (client: string, Timestamp = timestampOf(FIRST_CHANGE + changes.size)) => {
    const { headers, json } = await ask(client, 'changes', { Timestamp });
    const key = `${client} ${Timestamp}`;
    if (!changes.has(key)) changes.set(key, String(headers['x-amz-apigw-id']));
    timestamps.set(client, Timestamp);
    return json().Timestamp === Timestamp;
  };
  const sendBatch = async (client: string, size: number) => {
    serial += 1;
    const sent = { client, size, serial };
    const { json } = await ask(client, 'material-stock-balance', batchWith(sent));
    const { SnapshotId, EntryCount } = json();
    const isNew = !snapshots.has(SnapshotId);
    snapshots.set(SnapshotId, sent);
    return isNew && EntryCount === size;
  };
  const requests = {
    change: (client: string) => sendChange(client),
    'change again': (client: string) => sendChange(client, timestamps.get(client)),
    'batch of 200': (client: string) => sendBatch(client, 200),
    'batch of 40,000': (client: string) => sendBatch(client, 40_000),
    list: async (client: string) =>
      (await ask(client, 'material-codes')).text === JSON.stringify({ MaterialCodes }),
  };

  type Kind = keyof typeof requests;
  const round: Kind[] = ['change', 'batch of 200', 'list', 'batch of 200', 'change again', 'batch of 200'];

  const exchange = async (kind: Kind, client: string) => {
    try {
      if (!(await requests[kind](client))) failures.push(`${kind}: the response does not fit`);
    } catch (error) {
      failures.push(`${kind}: ${error}`);
      await sleep(PAUSE_MS.failure);
    }
  };
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= until || ended.aborted;
  const sendRounds = async (client: string, offset: number) => {
    for (let turn = offset; !isOver(); turn += 1)
      await exchange(round[turn % round.length] ?? 'list', client);
  };
  const sendLargeBatches = async (client: string) => {
    for (; !isOver(); await sleep(PAUSE_MS.large)) await exchange('batch of 40,000', client);
  };
  const [first = '', ...others] = CLIENTS;
  await Promise.all([sendLargeBatches(first), ...others.map(sendRounds)]);
  say(`${changes.size} changes and ${snapshots.size} snapshots were acknowledged.`);
  return { changes, snapshots, failures };
};

type Acknowledged = Awaited<ReturnType<typeof sendTraffic>>;

const compareChanges = async ({ tables }: Service, { changes }: Acknowledged) => {
  const rows = await tables.rows('ChangeTimestamps');
  const stored = new Map(
    rows.map(({ Client, Timestamp, RequestId }) => [`${Client?.S} ${Timestamp?.S}`, RequestId?.S]),
  );
  const keys = new Set([...changes.keys(), ...stored.keys()]);
  return [...keys]
    .filter((key) => changes.get(key) !== stored.get(key))
    .map((key) => `the change ${key} is lost, was not acknowledged, or has another request id`);
};

/** Reads each snapshot by its keys, which fails if it is not whole, without the service's own code. */
const compareSnapshots = async ({ tables }: Service, { snapshots }: Acknowledged) => {
  const failures: string[] = [];
  for (const [id, sent] of snapshots) {
    const stored = await tables.batch(sent.client, id).catch(String);
    if (!isDeepStrictEqual(stored, storedBatch(batchWith(sent))))
      failures.push(
        typeof stored === 'string' ? stored : `the snapshot ${id} has other entries than were sent`,
      );
  }
  const ids = (await Promise.all(CLIENTS.map((client) => tables.snapshotIds(client)))).flat();
  const surplus = ids.filter((id) => !snapshots.has(id));
  return [...failures, ...surplus.map((id) => `the snapshot ${id} was not acknowledged`)];
};

/** Compares the least memory of each process that ran all the time in the first and in the second half. */
const compareMemory = (samples: ReturnType<Service['processes']>[]) => {
  const growths = (samples[0] ?? []).flatMap(({ pid, command }) => {
    const found = samples.flatMap((sample) => sample.filter((process) => process.pid === pid));
    if (found.length < samples.length) return [];
    const megabytes = found.map(({ kilobytes }) => kilobytes / 1_024);
    const half = megabytes.length / 2;
    return [{ command, growth: Math.min(...megabytes.slice(half)) - Math.min(...megabytes.slice(0, half)) }];
  });
  const [largest] = growths.toSorted((one, other) => other.growth - one.growth);
  if (!largest) return ['no process ran all the time'];
  say(`The memory grows by at most ${largest.growth.toFixed(0)} MB, in ${largest.command}`);
  return largest.growth > ALLOWED_GROWTH_MB ? ['the memory grows'] : [];
};

const soak = async (folder: string, seconds: number) => {
  const service = await startService(folder);
  try {
    for (const row of MaterialCodes) await service.tables.put('MaterialCodes', row);
    say(`Sending for ${seconds} s. The first third warms up …`);
    const samples: ReturnType<typeof service.processes>[] = [];
    const timer = setInterval(() => samples.push(service.processes()), 1_000);
    const acknowledged = await sendTraffic(service, seconds);
    clearInterval(timer);
    service.ended.throwIfAborted();
    return [
      ...acknowledged.failures,
      ...(await compareChanges(service, acknowledged)),
      ...(await compareSnapshots(service, acknowledged)),
      ...compareMemory(samples.slice(samples.length / 3)),
      ...(await service.stop()),
    ];
  } finally {
    service.tables.client.destroy();
    await service.stop();
  }
};

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '90' } } });
const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-soak-'));
try {
  const failures = await soak(folder, Number(values.seconds));
  for (const failure of failures.slice(0, 10)) say(`FAILED: ${failure}`);
  say(failures.length === 0 ? 'No failure.' : `${failures.length} failures.`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
