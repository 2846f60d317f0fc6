import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHandler as listHandler } from '../../../functions/list-handler.ts';
import { createHandler as changeHandler } from '../../../functions/post-change.ts';
import { createHandler as balanceHandler } from '../../../functions/post-material-stock-balance.ts';
import { listReader } from '../../../functions/storage/list-reader.ts';
import { storageClient } from '../../../functions/storage/storage-client.ts';
import { changeWriter } from '../../../shared/storage/change-writer.ts';
import { snapshotWriter } from '../../../shared/storage/snapshot-writer.ts';
import { batchOf, fourParts, storedBatch } from '../../support/batches.ts';
import { type Fault, throttlingReasons } from '../../support/fault-proxy.ts';
import { call, collectLog, metricFields, post } from '../../support/handlers.ts';
import { readSnapshot } from '../../support/read-snapshot.ts';
import { createTable, itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';

const log = collectLog();
const direct = testClient();
const now = new Date('2026-11-21T06:48:04.123Z');
const Timestamp = '2026-11-21T06:48:04,123Z';
let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
let client: DynamoDBClient;
const { setTimeout: wait } = globalThis;

beforeAll(async () => {
  engine = await startFaultyEngine();
  // The functions' client, which reads the endpoint from the environment.
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine.endpoint;
});

afterAll(async () => {
  delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  await engine.stop();
});

/** One client per test: the SDK stops retrying for a while after a client has used many retries. */
beforeEach(() => {
  client = storageClient();
  engine.decide(() => 'through');
  // Without pauses: the random half of a pause takes away the fixed half. The SDK's pauses have no fixed half.
  vi.spyOn(Math, 'random').mockReturnValue(-0.5);
  vi.stubGlobal('setTimeout', (end: () => void, ms = 0) => wait(end, Math.max(ms, 0)));
});

afterEach(() => {
  vi.unstubAllGlobals();
  client.destroy();
});

type HttpResponse = Awaited<ReturnType<typeof call>>;

const expectUnavailable = ({ status, json, headers }: HttpResponse) => {
  expect(status).toBe(503);
  expect(json).toMatchObject({ type: 'about:blank', title: 'Service Unavailable', status: 503 });
  expect(headers).toMatchObject({ 'Retry-After': '5', 'Content-Type': 'application/problem+json' });
  expect(json.detail).toBe(
    'The database is not available now. Send the same request again in 5 seconds: a retry is always safe.',
  );
  // Nothing of the body or the headers.
  expect(log.text()).not.toMatch(/2026-11-21T06:48:04,123Z|Сталь|application\/json/);
  expect(log.entries().at(-1)).toMatchObject({
    level: 'ERROR',
    code: 'storage-unavailable',
    status: 503,
    error: { name: 'StorageUnavailable', message: expect.stringMatching(/./) },
  });
};

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

/** The time of a request is up when the engine gets this call, which has the given fault like all others from `from` on. */
const timeIsUpAt = (last: number, fault: Fault, from = 1) => {
  const ending = new AbortController();
  engine.decide((_, number) => {
    if (number === last) ending.abort();
    return number >= from ? fault : 'through';
  });
  return ending.signal;
};

const expectNoRunningCall = () => until(() => engine.waiting() === 0);

describe('a change', () => {
  const setUp = async () => {
    const table = await createTable('ChangeTimestamps', direct);
    const handler = changeHandler({ changes: changeWriter(client, table), now: () => now });
    return { handler, rows: () => itemsOf(table, direct) };
  };

  it.each<[Fault, number]>([
    ['error', 4],
    ['disconnect', 4],
    ['loseResponse', 4],
    ['throttle', 10],
  ])(
    'with the fault %s in each call gets a 503 after %i calls, and is stored once if the last call succeeds',
    async (fault, calls) => {
      const { handler, rows } = await setUp();
      engine.decide(() => fault);
      expectUnavailable(await post(handler, { Timestamp }));
      const [{ throttling, ThrottledRequests, error }] = log.entries();
      const isThrottled = fault === 'throttle';
      expect(throttling).toEqual(isThrottled ? throttlingReasons : undefined);
      expect(ThrottledRequests).toBe(isThrottled ? 1 : undefined);
      expect(error.message.startsWith('ProvisionedThroughputExceededException: ')).toBe(isThrottled);
      expect(engine.calls).toHaveLength(calls);
      expect(await rows()).toHaveLength(fault === 'loseResponse' ? 1 : 0);
      engine.decide((_, number) => (number < calls ? fault : 'through'));
      expect((await post(handler, { Timestamp })).status).toBe(200);
      expect(engine.calls).toHaveLength(calls);
      expect(await rows()).toHaveLength(1);
    },
  );

  it('that is throttled without a reason is logged and counted', async () => {
    const { handler } = await setUp();
    engine.decide(() => ({ status: 400, body: '{"__type":"ThrottlingException"}' }));
    expectUnavailable(await post(handler, { Timestamp }));
    const error = { message: expect.stringMatching(/^ThrottlingException: /) };
    const operation = 'POST /rest/warehouse-control/tested';
    const metric = metricFields([['operation']], { ThrottledRequests: 1 });
    expect(log.entries()).toMatchObject([{ throttling: [], error, operation, ...metric }]);
  });

  it('responds with 503 one second before the timeout if DynamoDB does not respond, and no call is still running', async () => {
    const { handler } = await setUp();
    engine.decide(() => 'hang');
    expectUnavailable(await post(handler, { Timestamp }, { remainingMs: 1_100 }));
    expect(log.text()).toContain('DynamoDB did not respond before the time limit of the whole request.');
    expect(log.text()).not.toMatch(/throttling|ThrottledRequests/);
    await expectNoRunningCall();
  });

  it('responds with 500 at once if it is not permitted, and logs the action', async () => {
    const { handler } = await setUp();
    engine.decide(() => 'deny');
    const { status, text } = await post(handler, { Timestamp });
    expect(status).toBe(500);
    expect(engine.calls).toEqual(['PutItem']);
    expect(text).not.toContain('dynamodb');
    expect(log.text()).toContain('not authorized to perform: dynamodb:PutItem');
  });
});

/** Lets all calls through, and returns which of the reads are consistent. */
const watchReads = () => {
  const consistent: unknown[] = [];
  engine.decide((action, _, { body }) => {
    if (action !== 'PutItem') consistent.push(JSON.parse(body.toString()).ConsistentRead);
    return 'through';
  });
  return consistent;
};

describe('a list of two pages', () => {
  let table: string;
  beforeAll(async () => {
    table = await createTable('MaterialCodes', direct);
    for (const code of ['A', 'B', 'C', 'D']) {
      const Item = { MaterialCode: { S: code }, Note: { S: 'x'.repeat(390_000) } };
      await direct.send(new PutItemCommand({ TableName: table, Item }));
    }
  });
  const handler = () => listHandler('MaterialCodes', listReader(client, 'MaterialCodes', table));

  it('is a 503 and never a part if the second page fails', async () => {
    engine.decide((_, number) => (number > 1 ? 'error' : 'through'));
    expectUnavailable(await call(handler()));
  });

  it.each<[Fault, number, object]>([
    ['hang', 2, { message: 'DynamoDB did not respond before the time limit of the whole request.' }],
    ['throttle', 14, { throttling: throttlingReasons }],
  ])(
    'whose second page has the fault %s is read until the time is up, and no further',
    async (fault, calls, error) => {
      const listing = listReader(client, 'MaterialCodes', table).read(timeIsUpAt(calls, fault, 2));
      await expect(listing).rejects.toMatchObject({ name: 'StorageUnavailable', ...error });
      await expectNoRunningCall();
      expect(engine.calls).toHaveLength(calls);
    },
  );

  it('is read with eventual consistency, which costs half', async () => {
    const consistent = watchReads();
    await call(handler());
    expect(consistent).toEqual([undefined, undefined]);
  });

  it('is complete although a call was throttled', async () => {
    engine.decide((_, number) => (number === 2 ? 'throttle' : 'through'));
    const { status, json } = await call(handler());
    expect(status).toBe(200);
    expect(json.MaterialCodes).toHaveLength(4);
  });
});

describe('a batch in four parts', () => {
  const batch = fourParts();
  const setUp = async () => {
    const table = await createTable('BalanceSnapshots', direct);
    const handler = balanceHandler({
      snapshots: snapshotWriter(client, table),
      now: () => now,
      newSuffix: () => 'sent',
    });
    const snapshotId = `${now.toISOString()}-sent`;
    const keys = async () => (await itemsOf(table, direct)).map(({ Client }) => Client?.S).toSorted();
    const read = (dynamodb = direct) => readSnapshot(dynamodb, [table, 'wms', snapshotId], now);
    const drop = (part: string) => {
      const Key = { Client: { S: part }, SnapshotId: { S: snapshotId } };
      return direct.send(new DeleteItemCommand({ TableName: table, Key }));
    };
    return { handler, snapshotId, keys, read, drop };
  };

  it('is stored although a response was lost, later parts under keys that no client can have, and read consistently', async () => {
    const { handler, snapshotId, keys, read, drop } = await setUp();
    engine.decide((_, number) => (number === 3 ? 'loseResponse' : 'through'));
    expect((await post(handler, batch)).status).toBe(200);
    expect(await keys()).toEqual(['wms', 'wms:2', 'wms:3', 'wms:4']);
    const consistent = watchReads();
    expect((await read(client))?.entries).toHaveLength(batch.MaterialCodes.length);
    expect(consistent).toEqual(Array(4).fill(true));
    // Without part 2, a reader gets an error instead of the other entries.
    await drop('wms:2');
    const message = `Snapshot ${snapshotId} of wms has only \\d+ of ${batch.MaterialCodes.length}.`;
    await expect(read()).rejects.toThrow(new RegExp(message));
  });

  it('is stored although a partition accepts only some of its parts at once', async () => {
    const { handler, keys } = await setUp();
    // A partition has 1,000 units, a part costs about 400, and 50 become free from call to call.
    let free = 1_000;
    engine.decide((_action, _number, { body }) => {
      free += 50;
      const units = Math.ceil(body.byteLength / 1_024);
      if (units > free) return 'throttle';
      free -= units;
      return 'through';
    });
    expect((await post(handler, batch)).status).toBe(200);
    expect(engine.calls.length).toBeGreaterThan(4);
    expect(await keys()).toHaveLength(4);
  });

  it('gets a 503 if its last call fails: part 1, without which no reader sees any part', async () => {
    const { handler, keys, read } = await setUp();
    engine.decide((_, number) => (number >= 4 ? 'error' : 'through'));
    expectUnavailable(await post(handler, batch));
    expect(await keys()).toEqual(['wms:2', 'wms:3', 'wms:4']);
    expect(await read()).toBeUndefined();
  });
});

describe('a batch in six parts', () => {
  const keepSixParts = async (signal: AbortSignal) => {
    const table = await createTable('BalanceSnapshots', direct);
    const entries = storedBatch(batchOf(2_700, '鋼'.repeat(235)));
    const snapshot = { client: 'wms', snapshotId: 'unique', receivedAt: now, requestId: 'request', entries };
    const error: unknown = await snapshotWriter(client, table)
      .keep(snapshot, signal)
      .catch((error: unknown) => error);
    await expectNoRunningCall();
    expect(await itemsOf(table, direct)).toEqual([]);
    return error;
  };

  it('is written four parts at a time, and no further once the time is up', async () => {
    engine.decide(() => 'hang');
    const ending = new AbortController();
    const keeping = keepSixParts(ending.signal);
    await until(() => engine.waiting() === 4);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    ending.abort();
    const message = 'DynamoDB did not respond before the time limit of the whole request.';
    expect(await keeping).toMatchObject({ name: 'StorageUnavailable', message });
    expect(engine.calls).toHaveLength(4);
  });

  it("is tried again until the time is up if it is throttled, and the error has DynamoDB's reasons", async () => {
    const error = await keepSixParts(timeIsUpAt(14, 'throttle'));
    expect(error).toMatchObject({ name: 'StorageUnavailable', throttling: throttlingReasons });
  });
});
