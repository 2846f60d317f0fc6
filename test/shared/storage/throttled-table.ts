import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { snapshotStore } from '../../../shared/storage/snapshot-store.ts';
import { newTablePartitions, throttlingReasons } from '../../support/fault-proxy.ts';

/** Batches whose parts are all as large as possible, sent to a new table within a second. */
export type Rush = {
  name: string;
  batches: number;
  parts: number;
  clients: number;
  /** The number of batches at the start, before one a second. Without it, all start within a second. */
  burst?: number;
  /** The number of other clients, each of which sends a batch of 200 entries. */
  neighbours?: number;
};

export const rushes: readonly Rush[] = [
  { name: '1 batch of 20 parts', batches: 1, parts: 20, clients: 1 },
  { name: '5 batches of 10 parts, 5 clients', batches: 5, parts: 10, clients: 5 },
  { name: '5 batches of 10 parts, 1 client', batches: 5, parts: 10, clients: 1 },
];

/** A client at the default limit of batches. */
export const clientAtItsLimit: Rush = {
  name: '20 batches of 10 parts, 1 client at its limit',
  batches: 20,
  parts: 10,
  clients: 1,
  burst: 10,
  neighbours: 10,
};

/** The duration of a call with a part of 400 KB, refused or not. */
const CALL_MS = 50;
/** A function answers after 17 s. The start and 40,000 entries need less than 1 s, even on a slower processor. */
const TIME_MS = 16_000;
const TICK_MS = 5;

/** Runs the real store and SDK on a simulated clock, without an engine and without a network. */
export const simulateRush = async (
  createClient: () => DynamoDBClient,
  { batches, parts, clients, burst, neighbours = 0 }: Rush,
  table: string = randomUUID(),
) => {
  const ready = await Promise.all(
    Array.from({ length: batches + neighbours }, () => configured(createClient())),
  );
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  try {
    const engine = simulatedTable(table);
    const entries = Array.from({ length: parts }, (_, index) => fullPart(index));
    const startOf = (batch: number) => {
      if (burst === undefined) return batches === 1 ? 0 : Math.random() * 1_000;
      return batch < batches ? Math.max(0, batch - burst + 1) * 1_000 : Math.random() * batches * 1_000;
    };
    const send = async (client: DynamoDBClient, batch: number) => {
      await wait(startOf(batch));
      const started = Date.now();
      Object.assign(client.config, { requestHandler: engine.requestHandler });
      const ending = new AbortController();
      setTimeout(() => ending.abort(), TIME_MS);
      const snapshot = {
        client: batch < batches ? `wms-${batch % clients}` : `neighbour-${batch}`,
        snapshotId: randomUUID(),
        receivedAt: new Date(),
        requestId: randomUUID(),
        entries: batch < batches ? entries : [fullPart(batch, 18_000)],
      };
      const kept = snapshotStore(client, 'BalanceSnapshots').keep(snapshot, ending.signal);
      const error: unknown = await kept.then(() => undefined).catch((error: unknown) => error);
      return { error, ms: Date.now() - started };
    };
    const answers = await runClockUntil(Promise.all(ready.map(send)));
    return { answers: answers.slice(0, batches), neighbours: answers.slice(batches), calls: engine.calls() };
  } finally {
    mock.timers.reset();
  }
};

/** The first call reads the SDK's configuration from files, which the simulated clock cannot wait for. */
const configured = async (client: DynamoDBClient) => {
  Object.assign(client.config, { requestHandler: { handle: async () => ({ response: respond(200, {}) }) } });
  await client.send(new ListTablesCommand({}));
  return client;
};

const respond = (statusCode: number, content: object) => {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return new HttpResponse({ statusCode, headers, body: Buffer.from(JSON.stringify(content)) });
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const runClockUntil = async <T>(end: Promise<T>) => {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    mock.timers.tick(TICK_MS);
    // All promises that the tick has settled run before this one.
    await new Promise(setImmediate);
  }
  return over;
};

/** One entry that fills a part. A batch of 200 entries has 18 KB. */
const fullPart = (index: number, bytes = 399_900) => ({
  MaterialCode: String(index).padEnd(bytes, 'x'),
  StockBalance: 1,
  StockBalanceUnit: 'kg',
  PurchaseOrders: [],
});

/** A DynamoDB of one new table, as the request handler of the SDK's client. */
const simulatedTable = (table: string) => {
  const decide = newTablePartitions(Date.now, { table });
  let calls = 0;
  const answer = (body: Uint8Array) => {
    calls += 1;
    if (decide(Buffer.concat([body])) === 'through') return respond(200, {});
    const __type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
    return respond(400, { __type, message: 'Throttled.', ThrottlingReasons: throttlingReasons });
  };
  const handle = async ({ body }: HttpRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    await wait(CALL_MS * (0.8 + 0.4 * Math.random()));
    abortSignal?.throwIfAborted();
    return { response: answer(body) };
  };
  return { calls: () => calls, requestHandler: { handle } };
};
