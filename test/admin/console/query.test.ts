import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { TablePage } from '../../../admin/console/api.ts';
import { startStock } from '../../../admin/console/processes/start-stock.ts';
import { findTooLarge } from '../../../admin/console/processes/start-workers.ts';
import { readQueryPage } from '../../../admin/console/queries/ask-sql.ts';
import { toPage } from '../../../admin/console/queries/read-stock.ts';
import { stockFileOf } from '../../../admin/stock/database/stock-file.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';
import { eventually } from '../../support/local-run.ts';
import { emptyDeployment, putBatch } from '../tables.ts';
import { holdAtStart, holdProcess, startTestConsole, testSession, watchProcesses } from './test-console.ts';

const { names, data } = await emptyDeployment({ clients: ['north'] });
const receivedAt = new Date(Date.now() - HOUR_MS);
await putBatch(names.BalanceSnapshots, 'north', receivedAt, [entryOf('A', 1)]);
const console = await startTestConsole(data);
await console.read();
afterAll(() => console.stop());

const send = (sql: string, parameters: Record<string, string> = {}, signal?: AbortSignal, kind = '') => {
  const path = `/api/tables/query${kind}?${new URLSearchParams({ sql, ...parameters })}`;
  return console.get(path, signal ? { signal } : {});
};
const askPage = async (sql: string, parameters: Record<string, string> = {}) => {
  const page: TablePage = (await send(sql, parameters)).body;
  return { ...page, cells: page.rows.map((cells) => cells.join(' ')) };
};
/** A page of the same process as the test, which costs less than the process of the console. */
const file = stockFileOf((await testSession(data)).deployment);
const pageHere = (sql: string, address: { page?: number; limit?: number; sort?: string }) => {
  const page = readQueryPage(file, { sql, parameters: {}, page: 1, limit: 100, ...address });
  return { ...page, cells: page.rows.map((cells) => cells.join(' ')) };
};
const ENDLESS = 'WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n) SELECT sum(n) FROM n';
const numbers = (count: number, column = 'n') =>
  `WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n LIMIT ${count}) SELECT ${column} FROM n`;

test('a query has its columns, its rows and their number, and keeps its own limit and a comment at its end', async () => {
  const sql = `${numbers(9, 'n, n / 2.0 AS half')} ORDER BY n DESC LIMIT 2; -- the last`;
  expect((await send(sql)).body).toEqual({
    columns: [
      { name: '1', title: 'n', kind: 'text' },
      { name: '2', title: 'half', kind: 'text' },
    ],
    rows: [
      [9, 4.5],
      [8, 4],
    ],
    first: 0,
    hasMore: false,
  });
  expect((await askPage(sql, { sort: '1' })).cells).toEqual(['8 4', '9 4.5']);
  expect((await send(sql, {}, undefined, '/count')).body).toEqual({ count: 2 });
});

test('the pages of a query have their numbers, and say whether rows follow', async () => {
  const shown = ({ cells, first, hasMore }: ReturnType<typeof pageHere>) => [cells.join(' '), first, hasMore];
  const address = { limit: '3', page: '2', sort: '-1' };
  expect(shown(await askPage(numbers(7), address))).toEqual(['4 3 2', 3, true]);
  const here = (page: number, sort: object = {}) => shown(pageHere(numbers(7), { limit: 3, page, ...sort }));
  expect(here(2)).toEqual(['4 5 6', 3, true]);
  expect(here(3)).toEqual(['7', 6, false]);
  expect(here(3, { sort: '-1' })).toEqual(['1', 6, false]);
  expect(here(4)).toEqual(['', 9, false]);
});

test('a page is the start of the whole result in the order of any column, in both directions', () => {
  const rows = `SELECT column1 AS same, column2 AS same FROM
    (VALUES (10, 'b'), (NULL, 'd'), (9007199254740993, 'c'), (9, 'a'), (10, 'a'), (9007199254740992, 'e'), ('x', 'f'))`;
  const shown = (sort: string) => pageHere(rows, { sort, limit: 6 }).cells;
  const numbered = ['9007199254740992 e', '9007199254740993 c'];
  expect(shown('1')).toEqual(['9 a', '10 a', '10 b', ...numbered, 'x f']);
  expect(shown('-1')).toEqual(['x f', ...numbered.toReversed(), '10 a', '10 b', '9 a']);
});

test('a query has the values of its parameters from the address, and is refused without them', async () => {
  const sql = 'SELECT :days + 1 AS days, :word AS word';
  expect((await askPage(sql, { ':days': '7', ':word': 'x' })).cells).toEqual(['8 x']);
  const message = 'The query needs a value for :word.';
  expect(await send(sql, { ':days': '7' })).toMatchObject({ status: 400, body: { message } });
});

test('a query of a moment finds what was received until then', async () => {
  const sql = 'SELECT material FROM balance';
  const before = { at: new Date(receivedAt.getTime() - 1).toISOString() };
  expect((await askPage(sql)).cells).toEqual(['A']);
  expect((await askPage(sql, before)).cells).toEqual([]);
  expect((await send(sql, before, undefined, '/count')).body).toEqual({ count: 0 });
});

test('a page has at most 1 MB: its long texts are cut', async () => {
  const { cells, hasMore } = await askPage(numbers(101, 'hex(zeroblob(iif(n = 1, 500000, 4000)))'));
  const lengths = cells.map(({ length }) => length);
  expect([lengths, hasMore]).toEqual([[100_001, ...Array(99).fill(8_000)], true]);
});

test('a page never cuts a finding, which has to stay JSON', () => {
  const rows = [['x'.repeat(2e6), 'x'.repeat(2e6)]];
  const columns = (['detail', 'text'] as const).map((kind) => ({ name: kind, title: kind, kind }));
  const page = toPage(columns, { page: 1, limit: 1 }, () => rows);
  expect(page.rows[0]?.map((cell) => String(cell).length)).toEqual([2e6, 11]);
});

test('four queries run at a time, and the next one runs when the page of one of them is left', async () => {
  // Starts the process that also compares a file with balances.
  expect(await console.get('/api/tables/balances')).toMatchObject({ status: 200 });
  const started = watchProcesses();
  const [gone, others] = [new AbortController(), new AbortController()];
  const endless = [gone, others, others, others].map(({ signal }) =>
    send(ENDLESS, {}, signal).catch(() => {}),
  );
  await eventually(() => started().length === 4);
  const four = started();
  // A held process keeps its place, but takes no processor time.
  for (const pid of four) holdProcess(pid);
  let isFifthDone = false;
  const fifth = askPage('SELECT 5').then(({ cells }) => {
    isFifthDone = true;
    return cells;
  });
  // A file to import has a process of its own.
  await console.postAs('octet-stream', '/api/lists/codes/review', 'MaterialCode\nA\n');
  await eventually(() => started().length === four.length);
  expect(isFifthDone).toBe(false);
  gone.abort();
  expect(await fifth).toEqual(['5']);
  others.abort();
  await Promise.all(endless);
  await eventually(() => started().length === 0);
});

const keeping = (megabytes: number) => `
  WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n LIMIT ${megabytes}),
    kept AS MATERIALIZED (SELECT zeroblob(1000000) AS b FROM n)
  SELECT count(b) FROM kept CROSS JOIN (${ENDLESS.replace('sum(n)', 'n')})`;

test('of queries that take too much memory together, the largest ends, with words, and the others go on', async () => {
  const ending = new AbortController();
  const outcomes = [850, 850, 1].map((megabytes) =>
    send(keeping(megabytes), {}, ending.signal).then(
      ({ status, body }) => `${status} ${body.message}`,
      () => 'aborted',
    ),
  );
  await Promise.race(outcomes);
  ending.abort();
  const [ended, ...others] = (await Promise.all(outcomes)).toSorted();
  expect(ended).toMatch(
    /^400 This needed too much memory, so it was ended\. It may take 1 GB, and 2 GB together /,
  );
  expect(others).toEqual(['aborted', 'aborted']);
  expect((await Promise.all(outcomes))[2]).toBe('aborted');
});

test.each<[number[], number | undefined]>([
  [[1_023, 614], undefined],
  [[3, 1_024], 1],
  [[512, 600, 527], 1],
  [[], undefined],
])('of processes that take %j MB, the one that has to end is %s', (megabytes, index) => {
  expect(findTooLarge(new Map(megabytes.map((size, each) => [each, size * 2 ** 20])))).toBe(index);
});

test('a query ends at its time limit of 60 seconds', async () => {
  const limits: number[] = [];
  const endings: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds);
    endings.push(new AbortController());
    return endings.at(-1)?.signal ?? AbortSignal.abort();
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const tooLong = send(ENDLESS);
  await eventually(() => endings.length === 1);
  expect(limits).toEqual([60_000]);
  endings[0]?.abort();
  const message = 'The query was ended after 60 seconds. Ask for less at a time.';
  expect(await tooLong).toMatchObject({ status: 400, body: { message } });
});

test.each([
  ['query', 'tables/query?sql=SELECT+1', '[[1]]'],
  ['download', 'downloads/tables/query?sql=SELECT+1&format=csv', '1\r\n1\r\n'],
])('a %s waits until the stock can be read', async (_, path, text) => {
  const started = watchProcesses();
  const session = await testSession(data);
  const { result: stock, pid: loader } = holdAtStart(() => startStock(session, { cache: false }));
  const own = await startTestConsole(data, { stock });
  onTestFinished(own.stop);
  const asked = own.send(`/api/${path}`);
  // Its response comes after the request has arrived.
  await own.get('/api/query/help');
  expect(started()).toEqual([loader]);
  process.kill(loader, 'SIGCONT');
  expect((await asked).text).toContain(text);
});

test('the state and the choices do not wait for the reader', async () => {
  const started = watchProcesses();
  const own = await startTestConsole(data);
  onTestFinished(own.stop);
  await own.read();
  await own.get('/api/tables/clients');
  holdProcess(Math.max(...started()));
  const left = new AbortController();
  const waiting = expect(own.get('/api/work', { signal: left.signal })).rejects.toThrow('abort');
  for (const path of ['state', 'choices']) expect((await own.get(`/api/${path}`)).status).toBe(200);
  left.abort();
  await waiting;
});

test('a page that the browser has left is dropped before its turn', async () => {
  const started = watchProcesses();
  const stock = startStock(await testSession(data), { cache: false });
  onTestFinished(stock.end);
  const left = new AbortController();
  const count = ({ signal } = new AbortController()) =>
    stock.ask('count', { table: 'clients', page: 1, limit: 1 }, signal);
  await eventually(async () => (await count()).count === 1);
  const reader = Math.max(...started());
  holdProcess(reader);
  const [first, dropped, last] = [count(), count(left), count()];
  const refused = expect(dropped).rejects.toThrow('aborted');
  // The first one has its turn now.
  await stock.readState();
  left.abort();
  process.kill(reader, 'SIGCONT');
  await refused;
  expect(await Promise.all([first, last])).toEqual([{ count: 1 }, { count: 1 }]);
});

test('a process that is killed says so, and starts again with the next request', async () => {
  const started = watchProcesses();
  const own = await startTestConsole(data);
  onTestFinished(own.stop);
  await own.read();
  const [loader] = started();
  const readClients = () => own.get('/api/tables/clients');
  expect((await readClients()).status).toBe(200);
  const reader = started().find((pid) => pid !== loader);
  const kill = (pid = 0) => process.kill(pid, 'SIGKILL');
  for (const pid of [loader, reader]) holdProcess(pid);
  const [read, written] = [readClients(), own.post('/api/reviews/none', {})];
  // Their responses come after the requests above have arrived. The first one begins to read the service.
  for (const path of ['state', 'query/help']) await own.get(`/api/${path}`);
  kill(reader);
  const message = 'The stock could not be read, because a process ended. Load the page again.';
  expect(await read).toMatchObject({ status: 503, body: { message } });
  expect((await readClients()).status).toBe(200);
  kill(loader);
  await written;
  const failure = async () => (await own.get('/api/state')).body.failure;
  expect(await failure()).toBe('The process that reads the service has ended. It starts again.');
  // After a change, the service is read at once.
  await own.post('/api/reviews/none', {});
  await eventually(async () => (await failure()) === undefined);
});
