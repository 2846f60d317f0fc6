import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import timers from 'node:timers';
import { Worker } from 'node:worker_threads';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '../../local/http.ts';
import { type OperationName, operationNames } from '../../shared/operations.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { call, collectLog, post } from '../support/handlers.ts';
import { basic } from '../support/http-client.ts';
import { bodyFor } from '../support/operations.ts';
import { startFaultyEngine } from '../support/tables.ts';

const log = collectLog();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** In this process, less than this many turns of the event loop lie between two steps of the work. */
const QUIET_TURNS = 20;

/** The requests that get a response or an error without time passing, and how many there were. */
const inFlight = new Set<unknown>();
let attempts = 0;
const onCreated = (message: unknown) => {
  const { request } = message as { request: ClientRequest };
  attempts += 1;
  inFlight.add(request);
  request.once('close', () => inFlight.delete(request));
};
beforeAll(() => subscribe('http.client.request.created', onCreated));
afterAll(() => void unsubscribe('http.client.request.created', onCreated));

/** The SDK reads files before the first request of a client. */
const isReading = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/**
 * Time passes only while the work waits for it: to the next timer after some turns without a request in flight. Returns how
 * many milliseconds and attempts the work took. Each attempt of the SDK makes one request.
 */
const onFastClock = async (work: () => Promise<unknown>) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'hrtime'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), milliseconds);
    return ending.signal;
  });
  // middy imports this function.
  vi.spyOn(timers, 'setTimeout').mockImplementation(setTimeout);
  syncBuiltinESMExports();
  const startedAt = Date.now();
  attempts = 0;
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  for (let quietTurns = 0; !isOver; quietTurns += 1) {
    await new Promise(setImmediate);
    if (attempts === 0 || inFlight.size > 0 || isReading()) quietTurns = 0;
    if (quietTurns < QUIET_TURNS) continue;
    quietTurns = 0;
    vi.advanceTimersToNextTimer();
  }
  await working;
  return { milliseconds: Date.now() - startedAt, attempts };
};

type Range = [least: number, most: number];
const expectBetween = (value: number, [least, most]: Range) => {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
};

const hasNoEnd = (fault: Fault) =>
  fault === 'hang' || (typeof fault === 'object' && fault.ending === 'endless');

const addressOf = async (fault: (number: number) => Fault) => {
  const proxy = await startFaultyEngine();
  onTestFinished(() => proxy.stop());
  proxy.decide((_, number) => {
    const decided = fault(number);
    if (hasNoEnd(decided)) inFlight.clear();
    return decided;
  });
  return proxy.endpoint;
};

const addressOfNobody = async () => `http://127.0.0.1:${await findFreePort()}`;

/** The address of a server that is too busy to accept a connection, and whose queue is full. */
const addressOfBusyServer = async () => {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(code, { eval: true });
  const [port]: number[] = await once(worker, 'message');
  const queue = [1, 2].map(() => connect(Number(port), '127.0.0.1'));
  await Promise.all(queue.map((socket) => once(socket, 'connect')));
  const forget = () => inFlight.clear();
  subscribe('http.client.request.created', forget);
  onTestFinished(async () => {
    unsubscribe('http.client.request.created', forget);
    for (const socket of queue) socket.destroy();
    await worker.terminate();
  });
  return `http://127.0.0.1:${port}`;
};

/** Loads a function as it is deployed, with all of AWS at this address. */
const load = async <T>(endpoint: string, file: () => Promise<T>) => {
  vi.resetModules();
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  // The longest pauses.
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  return file();
};

const half = { status: 200, body: '{"Items":[' };
const firstPage = { status: 200, body: '{"Items":[],"LastEvaluatedKey":{"Client":{"S":"wms"}}}' };

const signIn = {
  methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live/GET/rest',
  multiValueHeaders: { Authorization: [basic('wms', 'password')] },
  requestContext: { extendedRequestId: 'request-1' },
} as unknown as APIGatewayRequestAuthorizerEvent;

describe('the authorizer reads the clients for at most 8 s in all attempts, and fails,', () => {
  it.each<[string, () => Promise<string>, attempts: Range, milliseconds: Range]>([
    ['is throttled', () => addressOf(() => 'throttle'), [5, 14], [7_500, 8_000]],
    ['hangs', () => addressOf(() => 'hang'), [4, 4], [8_000, 8_000]],
    [
      'hangs after its first page',
      () => addressOf((number) => (number === 1 ? firstPage : 'hang')),
      [5, 5],
      [8_000, 8_000],
    ],
    ['responds with a 5xx', () => addressOf(() => 'error'), [4, 4], [0, 2_000]],
    ['cuts connections', () => addressOf(() => 'disconnect'), [4, 4], [0, 2_000]],
    [
      'sends a body without an end',
      () => addressOf(() => ({ ...half, ending: 'endless' })),
      [1, 1],
      [8_000, 8_000],
    ],
    ['refuses connections', addressOfNobody, [4, 4], [0, 2_000]],
    ['accepts no connection', addressOfBusyServer, [4, 4], [0, 6_000]],
  ])('if the table %s', async (_, address, attempts, milliseconds) => {
    const { handler } = await load(await address(), () => import('../../functions/authorizer.ts'));
    const took = await onFastClock(() =>
      expect(handler(signIn)).rejects.toThrow('The credentials could not be checked.'),
    );
    expectBetween(took.attempts, attempts);
    expectBetween(took.milliseconds, milliseconds);
  });
});

type Handler = Parameters<typeof call>[0];

const loadOperation: Record<OperationName, () => Promise<{ handler: Handler }>> = {
  'post-change': () => import('../../functions/post-change.ts'),
  'get-material-codes': () => import('../../functions/get-material-codes.ts'),
  'get-purchase-orders': () => import('../../functions/get-purchase-orders.ts'),
  'post-material-stock-balance': () => import('../../functions/post-material-stock-balance.ts'),
};

/** test/infra/functions/functions.test.ts compares both with the template. */
const TIMEOUT_MS = 18_000;
const WATCH_TIMEOUT_MS = 110_000;

type Row = [OperationName, string, () => Promise<string>, attempts: Range, milliseconds: Range];

const TIME_IS_UP: Range = [17_000, 17_000];
const throttled = () => addressOf(() => 'throttle');
const hanging = operationNames.map((name): Row => {
  return [name, 'hangs', () => addressOf(() => 'hang'), [4, 4], [16_000, 16_500]];
});

describe('an operation responds with a 503 a second before its timeout at the latest, in all attempts:', () => {
  it.each<Row>([
    ...hanging,
    ['post-change', 'is throttled', throttled, [10, 10], [5_300, 8_000]],
    ['get-material-codes', 'is throttled', throttled, [15, 29], TIME_IS_UP],
    ['post-material-stock-balance', 'is throttled', throttled, [15, 29], TIME_IS_UP],
    [
      'get-purchase-orders',
      'is throttled before each of its pages and then hangs',
      () => addressOf((number) => (number > 10 ? 'hang' : number % 2 === 1 ? 'throttle' : firstPage)),
      [13, 14],
      TIME_IS_UP,
    ],
    [
      'post-change',
      'sends a body without an end',
      () => addressOf(() => ({ ...half, ending: 'endless' })),
      [1, 1],
      TIME_IS_UP,
    ],
  ])('%s, if the table %s', async (name, fault, address, attempts, milliseconds) => {
    const { handler } = await load(await address(), loadOperation[name]);
    const body = bodyFor(name);
    const asked = { remainingMs: TIMEOUT_MS };
    const took = await onFastClock(async () => {
      const { status } = await (body ? post(handler, body, asked) : call(handler, asked));
      expect(status).toBe(503);
    });
    expect(log.text().includes('ThrottledRequests')).toBe(fault === 'is throttled');
    expectBetween(took.attempts, attempts);
    expectBetween(took.milliseconds, milliseconds);
  });
});

it('the watch reads for at most 90 s, and has time left for all attempts to publish', async () => {
  const emptyTable = { status: 200, body: '{"Items":[]}' };
  const faults: ((number: number) => Fault)[] = [
    () => 'throttle',
    (number) => (number === 1 ? emptyTable : 'hang'),
  ];
  const times: number[] = [];
  for (const fault of faults) {
    const { handler } = await load(await addressOf(fault), () => import('../../functions/watch.ts'));
    // On Mondays it always publishes.
    const work = () => expect(handler({ time: '2026-11-23T06:05:00Z' })).rejects.toThrow();
    times.push((await onFastClock(work)).milliseconds);
  }
  const [reading = 0, publishing = 0] = times;
  expect(reading).toBeGreaterThan(85_000);
  expect(reading).toBeLessThanOrEqual(90_000);
  expect(publishing).toBeGreaterThan(14_000);
  expect(reading + publishing).toBeLessThanOrEqual(WATCH_TIMEOUT_MS);
});
