import { setTimeout as sleep } from 'node:timers/promises';
import { batchOf, timestampOf } from '../support/batches.ts';
import { type Answer, basic, send } from '../support/http-client.ts';
import type { Service } from './service.ts';

const SMALL_BATCH = 200;
const LARGE_BATCH = 40_000;

/** The serial number changes only the balances. */
export const batchWith = (size: number, serial: number) => ({
  MaterialCodes: batchOf(size).MaterialCodes.map((entry) => ({
    ...entry,
    StockBalance: entry.StockBalance + serial,
  })),
});

/** What the service has acknowledged: request ids by client and timestamp, and batches by client and snapshot id. */
export type Acknowledged = {
  changes: Map<string, string>;
  snapshots: Map<string, { client: string; id: string; size: number; serial: number }>;
};
/** Unique, because no client name has a space. */
export const keyOf = (client: string, rest: string) => `${client} ${rest}`;

const ROUND = [
  'change',
  'batch of 200',
  'material codes',
  'batch of 200',
  'change again',
  'batch of 200',
] as const;
type Kind = (typeof ROUND)[number] | 'batch of 40,000';

const BETWEEN_LARGE_BATCHES_MS = 5_000;
/** Requests to a stopped service fail at once. */
const PAUSE_MS = 200;
const FIRST_CHANGE = Date.UTC(2026, 2, 1);

type Request = { path: string; body?: object; check: (answer: Answer) => boolean };

/** Every client waits for each answer before its next request. Returns the counts by kind, and the faults. */
export const sendTraffic = async ({ outputs, ended }: Service, seconds: number) => {
  const acknowledged: Acknowledged = { changes: new Map(), snapshots: new Map() };
  const counts = new Map<Kind, number>();
  const faults: string[] = [];
  const changes = new Map<string, number>();
  let lastSerial = 0;

  const change = (client: string, increment: number): Request => {
    const count = (changes.get(client) ?? 0) + increment;
    changes.set(client, count);
    const Timestamp = timestampOf(FIRST_CHANGE + count);
    const check = (answer: Answer) => {
      const key = keyOf(client, Timestamp);
      if (!acknowledged.changes.has(key)) acknowledged.changes.set(key, requestIdOf(answer));
      return answer.json().Timestamp === Timestamp;
    };
    return { path: 'changes', body: { Timestamp }, check };
  };

  const batch = (client: string, size: number): Request => {
    lastSerial += 1;
    const serial = lastSerial;
    const check = (answer: Answer) => {
      const { SnapshotId: id, EntryCount } = answer.json();
      const isNew = !acknowledged.snapshots.has(keyOf(client, id));
      acknowledged.snapshots.set(keyOf(client, id), { client, id, size, serial });
      return isNew && EntryCount === size;
    };
    return { path: 'material-stock-balance', body: batchWith(size, serial), check };
  };

  const list = (): Request => ({
    path: 'material-codes',
    check: ({ text }) => text === JSON.stringify({ MaterialCodes: materialCodes }),
  });

  const requests: Record<Kind, (client: string) => Request> = {
    change: (client) => change(client, 1),
    'change again': (client) => change(client, 0),
    'batch of 200': (client) => batch(client, SMALL_BATCH),
    'batch of 40,000': (client) => batch(client, LARGE_BATCH),
    'material codes': list,
  };

  const exchange = async (kind: Kind, client: string) => {
    const { path, body, check } = requests[kind](client);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const headers = {
      Authorization: basic(client, outputs.Clients[client] ?? ''),
      'Content-Type': 'application/json',
    };
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await send(`${outputs.BaseUrl}/rest/warehouse-control/${path}`, sent).catch(String);
    if (typeof answer === 'string') {
      faults.push(`${kind}: no answer (${answer})`);
      await sleep(PAUSE_MS);
    } else if (answer.status !== 200 || !check(answer)) {
      faults.push(`${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  };

  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= until || ended.aborted;
  const clients = Object.keys(outputs.Clients);
  const sendRounds = async (client: string, offset: number) => {
    for (let turn = offset; !isOver(); turn += 1)
      await exchange(ROUND[turn % ROUND.length] ?? 'change', client);
  };
  const sendLargeBatches = async () => {
    for (let turn = 0; !isOver(); turn += 1) {
      await sleep(BETWEEN_LARGE_BATCHES_MS);
      await exchange('batch of 40,000', clients[turn % clients.length] ?? '');
    }
  };
  await Promise.all([...clients.map(sendRounds), sendLargeBatches()]);
  return { acknowledged, counts, faults };
};

const requestIdOf = ({ headers }: Answer) => String(headers['x-amzn-requestid']);

/** In the order of the codes, which is the order of the response. */
const materialCodes = Array.from({ length: 2_000 }, (_, index) => ({
  MaterialCode: `Сталь-ABC/${String(index).padStart(5, '0')}`,
  Name: `Лист ${index} мм`,
  Weight: index / 8,
}));

export const fillList = async ({ tables }: Service) => {
  for (const row of materialCodes) await tables.put('MaterialCodes', row);
};
