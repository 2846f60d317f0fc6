import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { snapshotReader } from '../../../admin/store/snapshot-reader.ts';
import { createHandler as codesHandler } from '../../../functions/get-material-codes.ts';
import { createHandler as changeHandler } from '../../../functions/post-change.ts';
import { createHandler as balanceHandler } from '../../../functions/post-material-stock-balance.ts';
import { catalogReader } from '../../../functions/store/catalog-reader.ts';
import { storeClient } from '../../../functions/store/store-client.ts';
import { changeStore } from '../../../shared/storage/change-store.ts';
import { snapshotStore } from '../../../shared/storage/snapshot-store.ts';
import { batchOf, fourParts } from '../../support/batches.ts';
import { type Fault, newTablePartitions, throttlingReasons } from '../../support/fault-proxy.ts';
import { call, collectLog, post } from '../../support/handlers.ts';
import { createTable, rowsOf, startFaultyEngine, testClient } from '../../support/tables.ts';

const log = collectLog();
const direct = testClient();
const now = new Date('2026-11-21T06:48:04.123Z');
const Timestamp = '2026-11-21T06:48:04,123Z';
let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
let client: DynamoDBClient;

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
  client = storeClient();
  engine.decide(() => 'through');
});

afterEach(() => client.destroy());

const expectUnavailable = ({ status, json, headers }: Awaited<ReturnType<typeof call>>) => {
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
    code: 'store-unavailable',
    status: 503,
    error: { name: 'StoreUnavailable', message: expect.stringMatching(/./) },
  });
};

/** No call is still running after a 503. */
const expectCalledOff = async () => {
  await expect.poll(engine.waiting, { timeout: 1_500 }).toBe(0);
};

const lasting: Fault[] = ['throttled', 'broken', 'cut'];
/** The tests in test/faults throttle the calls of all operations. */
const brief: Fault[] = ['broken', 'cut'];

describe('a change', () => {
  const setUp = async () => {
    const table = await createTable('ChangeTimestamps', direct);
    const handler = changeHandler({ changes: changeStore(client, table), now: () => now });
    const rows = () => rowsOf(table, direct);
    return { handler, rows };
  };

  it.each(brief)('answers 503 if every call is %s, and is stored when it is sent again', async (fate) => {
    const { handler, rows } = await setUp();
    engine.decide(() => fate);
    expectUnavailable(await post(handler, { Timestamp }));
    expect(engine.calls.length).toBe(4);
    expect(await rows()).toEqual([]);
    engine.decide(() => 'through');
    expect((await post(handler, { Timestamp })).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it.each<Fault>(['throttled', 'broken', 'cut', 'lost'])(
    'is stored once by the next call if the first call is %s',
    async (fate) => {
      const { handler, rows } = await setUp();
      engine.decide((_, number) => (number === 1 ? fate : 'through'));
      expect((await post(handler, { Timestamp })).status).toBe(200);
      expect(await rows()).toHaveLength(1);
    },
  );

  it('is stored after five throttled calls, although other failures get only four attempts', async () => {
    const { handler, rows } = await setUp();
    engine.decide((_, number) => (number <= 5 ? 'throttled' : 'through'));
    expect((await post(handler, { Timestamp })).status).toBe(200);
    expect(engine.calls).toHaveLength(6);
    expect(await rows()).toHaveLength(1);
  });

  it('answers 503 after ten throttled calls, long before the timeout', async () => {
    const { handler } = await setUp();
    engine.decide(() => 'throttled');
    const withoutPauses = vi.spyOn(Math, 'random').mockReturnValue(-0.5);
    expectUnavailable(await post(handler, { Timestamp }));
    withoutPauses.mockRestore();
    expect(engine.calls).toHaveLength(10);
  });

  it("answers 503 if it is throttled until the timeout, and logs DynamoDB's reasons", async () => {
    const { handler, rows } = await setUp();
    engine.decide(() => 'throttled');
    expectUnavailable(await post(handler, { Timestamp }, { remainingMs: 2_500 }));
    expect(engine.calls.length).toBeGreaterThan(1);
    const message = expect.stringMatching(/^ProvisionedThroughputExceededException: /);
    expect(log.entries()).toMatchObject([
      { throttling: throttlingReasons, error: { message }, ThrottledRequests: 1 },
    ]);
    expect(await rows()).toEqual([]);
  });

  it('answers 503 and counts the throttling if DynamoDB gives no reason', async () => {
    const { handler } = await setUp();
    engine.decide(() => ({ status: 400, body: JSON.stringify({ __type: 'ThrottlingException' }) }));
    expectUnavailable(await post(handler, { Timestamp }, { remainingMs: 1_500 }));
    expect(log.entries()).toMatchObject([{ throttling: [], ThrottledRequests: 1 }]);
  });

  it('answers 503 shortly before the timeout if DynamoDB does not answer', async () => {
    const { handler } = await setUp();
    engine.decide(() => 'silent');
    expectUnavailable(await post(handler, { Timestamp }, { remainingMs: 1_500 }));
    expect(log.text()).toContain('The time for this request is up.');
    expect(log.entries()).toEqual([expect.not.objectContaining({ throttling: expect.anything() })]);
    await expectCalledOff();
  });

  it('is retried after the request timeout if DynamoDB does not answer', async () => {
    const { handler, rows } = await setUp();
    engine.decide((_, number) => (number === 1 ? 'silent' : 'through'));
    expect((await post(handler, { Timestamp })).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('answers 500 at once if it is not permitted, and logs the action', async () => {
    const { handler } = await setUp();
    engine.decide(() => 'denied');
    const { status, text } = await post(handler, { Timestamp });
    expect(status).toBe(500);
    expect(engine.calls).toEqual(['PutItem']);
    expect(text).not.toContain('dynamodb');
    expect(log.text()).toContain('not authorized to perform: dynamodb:PutItem');
  });
});

describe('a list', () => {
  const setUp = async (note = '') => {
    const table = await createTable('MaterialCodes', direct);
    const put = (code: string) =>
      direct.send(
        new PutItemCommand({ TableName: table, Item: { MaterialCode: { S: code }, Note: { S: note } } }),
      );
    await Promise.all(['A', 'B', 'C', 'D'].map(put));
    return codesHandler({ catalog: catalogReader(client, 'MaterialCodes', table) });
  };
  /** Over 1 MB in three of four rows, so that every engine returns a second page and the list is read in segments. */
  const setUpLarge = () => setUp('x'.repeat(390_000));

  it.each(brief)('answers 503 if every call is %s', async (fate) => {
    const handler = await setUp();
    engine.decide(() => fate);
    expectUnavailable(await call(handler));
  });

  it.each(lasting)('answers 503 and never part of a list if one segment is %s', async (fate) => {
    const handler = await setUpLarge();
    engine.decide((_, number) => (number > 4 ? fate : 'through'));
    expectUnavailable(await call(handler, { remainingMs: 3_000 }));
  });

  it('answers 503 shortly before the timeout if no segment is answered, and reads no segment afterwards', async () => {
    const handler = await setUpLarge();
    engine.decide((_, number) => (number > 1 ? 'silent' : 'through'));
    expectUnavailable(await call(handler, { remainingMs: 1_500 }));
    await expectCalledOff();
    expect(engine.calls).toHaveLength(5);
  });

  it.each([1, 2])('is complete if call %i was throttled', async (throttled) => {
    const handler = await setUpLarge();
    engine.decide((_, number) => (number === throttled ? 'throttled' : 'through'));
    const { status, json } = await call(handler);
    expect(status).toBe(200);
    expect(json.MaterialCodes).toHaveLength(4);
  });

  it('is read with one call if it is small, and in segments if it was large at the previous read', async () => {
    const [small, large] = [await setUp(), await setUpLarge()];
    const callsOf = async (handler: typeof small) => {
      const before = engine.calls.length;
      expect((await call(handler)).json.MaterialCodes).toHaveLength(4);
      return engine.calls.length - before;
    };
    expect([await callsOf(small), await callsOf(small)]).toEqual([1, 1]);
    const first = await callsOf(large);
    expect(first).toBeGreaterThanOrEqual(1 + 4);
    expect(await callsOf(large)).toBe(first - 1);
  });
});

describe('a batch in parts', () => {
  const batch = fourParts();
  const setUp = async () => {
    const table = await createTable('BalanceSnapshots', direct);
    let requests = 0;
    const handler = balanceHandler({
      snapshots: snapshotStore(client, table),
      now: () => now,
      newSuffix: () => {
        requests += 1;
        return String(requests);
      },
    });
    /** The snapshot id of the last request. */
    const id = () => `${now.toISOString()}-${requests}`;
    const keys = async () => (await rowsOf(table, direct)).map(({ Client }) => Client?.S).toSorted();
    const read = () => snapshotReader(direct, table, now).read('wms', id());
    const drop = (part: string) =>
      direct.send(
        new DeleteItemCommand({
          TableName: table,
          Key: { Client: { S: part }, SnapshotId: { S: id() } },
        }),
      );
    return { handler, keys, read, drop };
  };

  it('stores part 1 under the client, and later parts under keys that no client can have', async () => {
    const { handler, keys } = await setUp();
    await post(handler, batch);
    expect(await keys()).toEqual(['wms', 'wms:2', 'wms:3', 'wms:4']);
  });

  it('is stored although a partition accepts only some of its parts at once', async () => {
    const { handler, read } = await setUp();
    let time = 0;
    const now = () => {
      // The partition frees 50 units from call to call, and a part has about 400.
      time += 50;
      return time;
    };
    const decide = newTablePartitions(now, { count: 1 });
    engine.decide((_action, _number, { body }) => decide(body));
    expect((await post(handler, batch)).status).toBe(200);
    expect(engine.calls.length).toBeGreaterThan(4);
    expect((await read())?.entries).toHaveLength(batch.MaterialCodes.length);
  });

  it.each(brief)('answers 503 if one part is %s, and no reader sees any part', async (fate) => {
    const { handler, keys, read } = await setUp();
    engine.decide((_, number) => (number >= 2 ? fate : 'through'));
    expectUnavailable(await post(handler, batch, { remainingMs: 4_000 }));
    expect(await keys()).not.toContain('wms');
    expect(await read()).toBeUndefined();
    engine.decide(() => 'through');
    expect((await post(handler, batch)).status).toBe(200);
    expect((await read())?.entries).toHaveLength(batch.MaterialCodes.length);
  });

  it('answers 503 shortly before the timeout if no part is answered, and writes no part afterwards', async () => {
    const { handler, keys } = await setUp();
    engine.decide(() => 'silent');
    const eightParts = batchOf(3_000, '鋼'.repeat(235));
    expectUnavailable(await post(handler, eightParts, { remainingMs: 2_500 }));
    // The store writes four parts at a time.
    expect(engine.calls).toHaveLength(4);
    await expectCalledOff();
    expect(await keys()).toEqual([]);
  });

  it('cannot be read without part 2, and the error names its id and the number of entries', async () => {
    const { handler, read, drop } = await setUp();
    await post(handler, batch);
    await drop('wms:2');
    await expect(read()).rejects.toThrow(
      new RegExp(`Snapshot ${now.toISOString()}-1 of wms has only \\d+ of ${batch.MaterialCodes.length}.`),
    );
  });

  it('writes part 1 last, after all other parts', async () => {
    const { handler, keys } = await setUp();
    engine.decide((_, number) => (number >= 4 ? 'broken' : 'through'));
    expectUnavailable(await post(handler, batch, { remainingMs: 5_000 }));
    expect(await keys()).toEqual(['wms:2', 'wms:3', 'wms:4']);
  });

  it.each<Fault>(['throttled', 'lost'])('is stored although a call in the middle was %s', async (fate) => {
    const { handler, read } = await setUp();
    engine.decide((_, number) => (number === 3 ? fate : 'through'));
    expect((await post(handler, batch)).status).toBe(200);
    expect((await read())?.entries).toHaveLength(batch.MaterialCodes.length);
  });
});

describe('an unreachable database', () => {
  it('answers 503', async () => {
    const gone = new DynamoDBClient({ endpoint: 'http://127.0.0.1:9', region: 'eu-central-1' });
    const handler = changeHandler({ changes: changeStore(gone, 'x'), now: () => now });
    expectUnavailable(await post(handler, { Timestamp }));
  });
});
