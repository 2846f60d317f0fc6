import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Session as Debugger } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TableWindow } from '../../../admin/console/api.ts';
import { createQueryThreads } from '../../../admin/console/threads/create-query-threads.ts';
import { type StockService, startStockThreads } from '../../../admin/console/threads/start-stock-threads.ts';
import type { Session } from '../../../admin/deployment/session.ts';
import { stockFileOf } from '../../../admin/stock/database/stock-file.ts';
import { toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { listNames, type TableName } from '../../../shared/tables.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { eventually } from '../../support/local-run.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { entry, makeStock } from '../stock/make-stock.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let tables: Record<TableName, string>;
let session: Session;
beforeEach(async () => {
  const deployed = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] });
  tables = deployed.names;
  session = await testSession(deployed.data);
  engine.decide(() => 'through');
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const send = (client: string, hours: number, balances: Record<string, number>) =>
  putBatch(
    tables.BalanceSnapshots,
    client,
    hoursAgo(hours),
    Object.entries(balances).map(([code, balance]) => entryOf(code, balance)),
  );

const start = (options: Parameters<typeof startStockThreads>[1] = {}) => {
  const stock = startStockThreads(session, options);
  onTestFinished(() => stock.end());
  return stock;
};
const rowsOf = async (stock: StockService, name = 'balances') => {
  const { rows }: TableWindow = JSON.parse(await stock.ask({ kind: 'window', name }));
  return rows.map(({ cells }) => cells.slice(0, 3).join(' '));
};
/** Waits until the table has these rows, while a page is open. */
const shows = (stock: StockService, rows: string[]) =>
  eventually(async () => {
    await stock.readState().catch(() => {});
    const shown = await rowsOf(stock).catch(() => []);
    return shown.join() === rows.join();
  });

test('a new batch appears after 30 seconds, also if the clock is set back, and an older batch that a restore brings back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await send('north', 3, { A: 1 });
  await send('north', 2, { A: 2 });
  const stock = start();
  await shows(stock, ['A north 2']);
  await eventually(async () => (await stock.readState()).completeSince !== null);
  const before = await stock.readState();
  expect(before).toMatchObject({ unread: 0, batches: 2 });
  expect(Math.abs(Number(before.completeSince) - hoursAgo(3).getTime())).toBeLessThan(HOUR_MS / 2);
  await send('south', 0, { B: 5 });
  let calls = 0;
  engine.decide(() => {
    calls += 1;
    return 'through';
  });
  for (const _ of [1, 2, 3]) await stock.readState();
  // The thread that reads the service takes requests in their order, so a read would have begun.
  await stock.readNow('lists');
  expect(calls).toBe(listNames.length);
  vi.advanceTimersByTime(30_000);
  vi.setSystemTime(hoursAgo(1));
  await shows(stock, ['A north 2', 'B south 5']);
  expect((await stock.readState()).version).not.toBe(before.version);
  const { names: restored } = await emptyDeployment();
  await putBatch(restored.BalanceSnapshots, 'north', hoursAgo(9), [entryOf('B', 7)]);
  const line = ['restore', 'BalanceSnapshots', '--from', restored.BalanceSnapshots];
  expect(await adminHereOn(session.where.data, line)).toMatchObject({ code: 0 });
  stock.readAtNextRequest();
  await shows(stock, ['A north 2', 'B north 7', 'B south 5']);
});

test('a batch that has expired by the clock of this machine, but not by that of the service, appears', async () => {
  const daysAgo = (days: number) => hoursAgo(days * 24);
  const [receivedAt, now, expiresAt] = [daysAgo(6), daysAgo(5), daysAgo(4)];
  const snapshot = { client: 'north', snapshotId: 'kept', requestId: 'test', entries: [entryOf('A', 1)] };
  await putItems(tables.BalanceSnapshots, toSnapshotItems({ ...snapshot, receivedAt, expiresAt }));
  engine.decide(async (_, __, { forward }) => {
    const response = await forward();
    return { ...response, headers: { ...response.headers, date: now.toUTCString() } };
  });
  const stock = start();
  await eventually(async () => {
    stock.readAtNextRequest();
    await stock.readState();
    return (await rowsOf(stock)).join() === 'A north 1';
  });
});

test('a changed list is read at once, also while batches are being read, which are not read twice', async () => {
  await send('north', 1, { A: 1 });
  const stock = start();
  await shows(stock, ['A north 1']);
  const released = Promise.withResolvers<'through'>();
  let actions: string[] = [];
  engine.decide((action) => {
    actions.push(action);
    return action === 'Query' ? released.promise : 'through';
  });
  stock.readAtNextRequest();
  // The first read may not have ended yet.
  await eventually(async () => {
    await stock.readState();
    return actions.includes('Query');
  });
  const { version } = await stock.readState();
  actions = [];
  // As after 30 seconds. A second read would begin with a scan of the clients.
  stock.readAtNextRequest();
  await stock.readState();
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'Z' }, Name: { S: 'Nut' } }]);
  await stock.readNow('lists');
  expect(await rowsOf(stock, 'codes')).toEqual(['Z Nut']);
  expect(actions.filter((action) => action === 'Scan')).toHaveLength(listNames.length);
  expect((await stock.readState()).version).not.toBe(version);
  released.resolve('through');
});

test('a list that the console has written and a client that it added are shown at once', async () => {
  const stock = start();
  const console = await startTestConsole(session, { stock });
  await eventually(async () => (await console.get('/api/state')).body.completeSince !== undefined);
  const added = { kind: 'added', identifier: 'NEW', cells: [] };
  const plan = await console.post('/api/lists/codes/review', [added]);
  expect((await console.post(`/api/reviews/${plan.body.id}`, {})).status).toBe(200);
  const { body } = await console.get('/api/tables/codes');
  expect(body.rows.map(({ cells }: { cells: string[] }) => cells[0])).toEqual(['NEW']);
  expect((await console.post('/api/clients', { name: 'west' })).status).toBe(200);
  const { rows }: TableWindow = (await console.get('/api/tables/clients')).body;
  expect(rows.map(({ cells }) => cells[0])).toContain('west');
  await console.stop();
});

/** All threads that start from now on. */
const watchThreads = () => {
  const threads: Worker[] = [];
  const onThread = (message: unknown) => threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', onThread);
  onTestFinished(() => void unsubscribe('worker_threads', onThread));
  return threads;
};

/** The folders of --no-cache. Other processes may have some, too. */
const temporaryFolders = () =>
  ['/dev/shm', tmpdir()]
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder).filter((name) => name.startsWith(`warehouse-admin-${process.pid}-`)),
    );

test('the end of the console ends its threads, its process that writes a file, and without a cache its file', async () => {
  const threads = watchThreads();
  const stock = start({ cache: false });
  await Promise.all([rowsOf(stock), stock.readState()]);
  const areRunning = () => threads.map(({ threadId }) => threadId !== -1);
  expect(areRunning()).toEqual([true, true, true]);
  expect([existsSync(stockFileOf(session.deployment)), temporaryFolders().length]).toEqual([false, 1]);
  const download = { kind: 'table', name: 'balances', parameters: {} } as const;
  const written = stock.openDownload({ download, format: { kind: 'xlsx' } }, new AbortController().signal);
  const failed = expect(written).rejects.toThrow('The process ended early');
  await setImmediate();
  await stock.end();
  await failed;
  expect(areRunning()).toEqual([false, false, false]);
  expect(temporaryFolders()).toEqual([]);
});

/** Holds each thread that starts from now on before its first statement, until the test lets it run. */
const holdThreads = async () => {
  const held: string[] = [];
  const session = new Debugger();
  session.connect();
  onTestFinished(() => session.disconnect());
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, waitingForDebugger } }) => {
    if (waitingForDebugger) held.push(sessionId);
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  const message = JSON.stringify({ id: 1, method: 'Runtime.runIfWaitingForDebugger' });
  return {
    started: (count: number) => eventually(() => held.length === count),
    run: (first: number, last?: number) =>
      Promise.all(
        held
          .slice(first, last)
          .map((sessionId) => session.post('NodeWorker.sendMessageToWorker', { sessionId, message })),
      ),
  };
};

test('the state and the latest choices do not wait for tables and checks, however long they take', async () => {
  await send('north', 1, { A: 1 });
  const stock = startStockThreads(session);
  const console = await startTestConsole(session, { stock });
  onTestFinished(console.stop);
  // The thread that reads the service runs already.
  await stock.readNow('lists');
  const threads = await holdThreads();
  let responded = 0;
  const tables = Array.from({ length: 30 }, async () => {
    const { status } = await console.get('/api/tables/balances');
    responded += 1;
    return status;
  });
  await threads.started(4);
  const ofMoment = console.get(`/api/choices?at=${hoursAgo(1).toISOString()}`).then(({ status }) => {
    responded += 1;
    return status;
  });
  const short = ['/api/state', '/api/choices'].map((path) => console.get(path));
  await threads.started(5);
  await threads.run(4);
  for (const { status } of await Promise.all(short)) expect(status).toBe(200);
  expect(responded).toBe(0);
  await threads.run(0, 4);
  expect(new Set(await Promise.all([...tables, ofMoment]))).toEqual(new Set([200]));
});

test('the console responds while it bundles its page', async () => {
  // Another test may have bundled it.
  vi.resetModules();
  const { bundlePage } = await import('../../../admin/console/page-bundle.ts');
  const bundled = bundlePage().then(() => 'bundled');
  expect(await Promise.race([bundled, setImmediate('responds')])).toBe('responds');
  expect(await bundled).toBe('bundled');
});

test('a thread that cannot open its file is a sentence, and starts again', async () => {
  const file = stockFileOf(session.deployment);
  mkdirSync(file);
  const stock = start();
  // A response to a change of a list must not wait for ever.
  const listsRead = stock.readNow('lists');
  const status = {
    status: 503,
    message: expect.stringMatching(/^The thread that reads the service has ended \(.*unable to open/),
  };
  await expect(stock.readState()).rejects.toMatchObject(status);
  await expect(stock.ask({ kind: 'state' })).rejects.toMatchObject(status);
  await Promise.all([listsRead, stock.readNow('lists')]);
  rmdirSync(file);
  await eventually(() =>
    stock.readState().then(
      () => true,
      () => false,
    ),
  );
});

test('what AWS refuses, and the end of the thread that reads, are in the state in words until a read succeeds, and the tables stay', async () => {
  await send('north', 1, { A: 1 });
  const started = watchThreads();
  const stock = start();
  await shows(stock, ['A north 1']);
  const denied = JSON.stringify({ __type: 'ExpiredTokenException', message: 'The token has expired' });
  engine.decide(() => ({
    status: 400,
    headers: { 'Content-Type': 'application/x-amz-json-1.0' },
    body: denied,
  }));
  const failureAfterRead = async () => {
    stock.readAtNextRequest();
    return (await stock.readState()).failure;
  };
  await eventually(async () => (await failureAfterRead()) !== undefined);
  expect(await failureAfterRead()).toBe('The AWS credentials have expired. Sign in again.');
  expect(await rowsOf(stock)).toEqual(['A north 1']);
  engine.decide(() => 'through');
  await eventually(async () => (await failureAfterRead()) === undefined);
  let isReading = false;
  engine.decide(() => {
    isReading = true;
    return 'hang';
  });
  await eventually(async () => {
    stock.readAtNextRequest();
    await stock.readState();
    return isReading;
  });
  await started[0]?.terminate();
  // The request of the thread fails a moment after its end.
  await setImmediate();
  engine.decide(() => 'through');
  expect((await stock.readState()).failure).toMatch(/^The thread that reads the service has ended/);
  await eventually(async () => (await stock.readState()).failure === undefined);
});

describe('the file of the deployment', () => {
  test('is used by the next console, and read again with --fresh', async () => {
    await send('north', 1, { A: 1 });
    const first = start();
    await eventually(async () => !(await first.readState()).isFirstRead);
    await first.end();
    engine.decide(() => 'deny');
    for (const [fresh, rows] of [
      [undefined, ['A north 1']],
      [true, []],
    ] as const) {
      const next = start({ fresh });
      expect(await rowsOf(next)).toEqual(rows);
      expect((await next.readState()).isFirstRead).toBe(fresh ?? false);
    }
  });

  test('is created again after it was removed or damaged, and says so while it cannot be', async () => {
    await send('north', 1, { A: 1 });
    const stock = start();
    await shows(stock, ['A north 1']);
    const { version } = await stock.readState();
    rmSync(stockFileOf(session.deployment));
    await shows(stock, ['A north 1']);
    expect(existsSync(stockFileOf(session.deployment))).toBe(true);
    expect((await stock.readState()).version).not.toBe(version);
    const file = stockFileOf(session.deployment);
    for (const path of [file, `${file}-wal`])
      writeFileSync(path, Buffer.alloc(statSync(path).size, 'x'), { flag: 'r+' });
    // Windows refuses to remove a file that another program has open.
    rmSync(`${file}-shm`);
    mkdirSync(`${file}-shm`);
    await expect(rowsOf(stock, 'changes')).rejects.toMatchObject({ status: 500 });
    await eventually(async () => !existsSync(file));
    await expect(stock.readState()).rejects.toThrow(/^The thread that reads the service has ended/);
    rmdirSync(`${file}-shm`);
    await shows(stock, ['A north 1']);
  });
});

describe('threads that query', () => {
  const file = join(temporaryFolder(), 'stock.sqlite');
  const entries = Array.from({ length: 20_000 }, (_, index) => entry(`M${index}`, index));
  makeStock({ north: [{ at: 1, entries }] }, file).db.close();
  const startThreads = (maxThreads: number) => {
    const threads = createQueryThreads({ file, maxThreads, onUnusable: () => {} });
    onTestFinished(() => threads.end().then(() => {}));
    return threads;
  };
  const count = { kind: 'count', name: 'balances' } as const;

  test('run many requests at once, each with its own response', async () => {
    const threads = startThreads(2);
    const codes = Array.from({ length: 20 }, (_, index) => `M1234${index % 10}`);
    const counts = await Promise.all(
      codes.map((search) => threads.ask({ ...count, parameters: { search } })),
    );
    expect(counts.map((json) => JSON.parse(json).count)).toEqual(
      codes.map((code) => (Number(code.slice(1)) < 20_000 ? 1 : 0)),
    );
  });

  test('ask nothing for a browser that has gone before its turn', async () => {
    const threads = startThreads(1);
    const gone = new AbortController();
    const first = threads.ask(count);
    const second = threads.ask(count, gone.signal);
    const third = threads.ask({ ...count, parameters: { search: 'M19999' } });
    gone.abort();
    await expect(second).rejects.toThrow('aborted');
    expect(await first).toBe('{"count":20000}');
    expect(await third).toBe('{"count":1}');
  });

  test('that end in the middle of a request say so, and the next request starts others', async () => {
    const threads = startThreads(1);
    await threads.ask(count);
    const asked = [threads.ask(count), threads.ask(count)];
    const outcomes = Promise.allSettled(asked);
    await threads.end();
    for (const [index, why] of [
      'a thread ended (without a reason)',
      'it was closed before the request began',
    ].entries()) {
      const message = `The stock could not be read, because ${why}. Load the page again.`;
      expect((await outcomes)[index]).toMatchObject({ reason: { status: 503, message } });
    }
    expect(await threads.ask(count)).toBe('{"count":20000}');
    await threads.end();
    expect(await threads.ask(count)).toBe('{"count":20000}');
  });

  test('leave what waits for a thread that has failed to another one', async () => {
    const started = watchThreads();
    const threads = startThreads(1);
    const failed = expect(threads.ask(count)).rejects.toMatchObject({ status: 503 });
    const waiting = threads.ask(count);
    await started[0]?.terminate();
    await failed;
    expect(await waiting).toBe('{"count":20000}');
  });
});
