import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Download, writeDownload } from '../../../admin/console/processes/write-download.ts';
import { startStockThreads } from '../../../admin/console/threads/start-stock-threads.ts';
import { parseWorkbook } from '../../../admin/lists/files/parse-workbook.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { storedClient } from '../../support/clients.ts';
import { eventually } from '../../support/local-run.ts';
import { testClient } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { entry, makeStock } from '../stock/make-stock.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

/** A table may be edited by hand. */
const HOSTILE = 'a"; filename=evil.exe\r\nX: Болт-1/006';

const { names, data } = await emptyDeployment({ clients: ['north', 'south'] });
const receivedAt = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS);
const orders = ['OT1234567', 'OT1234568'];
const entries = [entryOf('B', 1234.5, 'kg', orders), entryOf('A', 0.1), entryOf('00123', -2)];
await putBatch(names.BalanceSnapshots, 'north', receivedAt, entries);
await putBatch(names.BalanceSnapshots, 'south', receivedAt, [entryOf('A', 0.2), entryOf(HOSTILE, 2)]);
await putItems(names.MaterialCodes, [
  { MaterialCode: { S: 'B' }, Name: { S: '=1+1; "Bolt"' } },
  { MaterialCode: { S: '00123' }, Sizes: { L: [{ N: '1.5' }] } },
]);
const session = await testSession(data);
const stock = startStockThreads(session, { cache: false });
const console = await startTestConsole(session, { stock });
afterAll(() => console.stop());
beforeAll(() =>
  eventually(async () => {
    const { unread, completeSince } = await stock.readState();
    return unread === 0 && completeSince !== null;
  }),
);

const download = (path: string, signal?: AbortSignal) =>
  fetch(`${console.origin}/api/downloads/${path}`, {
    headers: { Cookie: console.cookie },
    signal: signal ?? null,
  });
const textOf = async (path: string) => (await download(path)).text();

describe('a download of a table', () => {
  const UTC = receivedAt.toISOString();

  test('has the rows, the order and the titles that the page shows', async () => {
    const lines = (await textOf('tables/balances?client=north&sort=-StockBalance&format=csv')).split('\r\n');
    const [titles = '', ...rows] = lines;
    expect(titles.replace('\uFEFF', '').split(',')).toEqual(
      expect.arrayContaining(['Material', 'Name', 'Warehouse', 'Balance', 'Received']),
    );
    expect(rows.map((row) => row.split(',')[0])).toEqual(['B', 'A', '00123', '']);
    expect(rows[0]).toMatch(/^B,"'=1\+1; ""Bolt""",.*north,1234\.5,kg,.*OT1234567 OT1234568/);
    expect(rows[0]).toContain(UTC);
  });

  test('has only the columns that the page shows', async () => {
    const columns = encodeURIComponent('["StockBalance","MaterialCode","Gone"]');
    const text = await textOf(`tables/balances?client=north&search=B&columns=${columns}&format=csv`);
    expect(text).toBe('Material,Balance\r\nB,1234.5\r\n');
  });

  test('has the findings of the moment', async () => {
    const path = `tables/findings?kind=unlisted-code&client=north&columns=${encodeURIComponent('["Subject"]')}`;
    const before = new Date(receivedAt.getTime() - 1).toISOString();
    expect(await textOf(`${path}&at=${UTC}&format=csv`)).toBe('Subject\r\nA\r\n');
    expect(await textOf(`${path}&at=${before}&format=csv`)).toBe('Subject\r\n');
  });

  test('is a workbook with numbers', async () => {
    const response = await download('tables/totals?search=A&sort=MaterialCode&format=xlsx');
    expect(response.headers.get('Content-Type')).toContain('spreadsheetml');
    const { rows } = await parseWorkbook(Buffer.from(await response.arrayBuffer()));
    expect(rows[1]).toEqual(expect.arrayContaining(['A', 0.3, 'kg', 2]));
  });

  test('has notices in a header', async () => {
    const { headers } = await download('tables/balances?format=csv');
    expect(JSON.parse(decodeURIComponent(headers.get('Notices') ?? ''))).toEqual([
      expect.stringMatching(/^1 text looks like a number or a date to a spreadsheet, such as 00123\./),
    ]);
  });

  test.each([
    ['balances?client=south&sort=Client&limit=5', 'balances south TIME', 'balances south TIME'],
    ['query?sql=SELECT%201', 'query TIME', 'query TIME'],
    [
      `history?material=${encodeURIComponent(HOSTILE)}&client=south`,
      'history a-; filename=evil.exe--X- Болт-1-006 south TIME',
      'history a-; filename=evil.exe--X- ____-1-006 south TIME',
    ],
    [
      `history?material=${encodeURIComponent('鋼'.repeat(256))}`,
      `history ${'鋼'.repeat(40)} TIME`,
      `history ${'_'.repeat(40)} TIME`,
    ],
  ])('the file of case %# has a name that a header and a file can have', async (path, name, plain) => {
    const { headers } = await download(`tables/${path}&at=${UTC}&format=csv`);
    const header = headers.get('Content-Disposition') ?? '';
    const given = /^attachment; filename="([ -!#-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header);
    const time = `${receivedAt.toLocaleString('sv-SE').replaceAll(':', '.')}.csv`;
    expect(given?.slice(1).map(decodeURIComponent)).toEqual(
      [plain, name].map((text) => text.replace('TIME', time)),
    );
  });

  test.each([
    ['tables/balances?format=exe', /not valid/],
    ['tables/balances?columns=x&format=csv', /not valid/],
    ['tables/nothing?format=csv', /There is no table of this name/],
    ['tables/balances?sort=x&format=csv', /no column x/],
    ['tables/balances?since=x&format=csv', /Write the time like/],
    ['tables/balances?at=yesterday&format=csv', /Write it like/],
    ['tables/query?sql=SELECT%201&at=9999-01-01T00:00:00Z&format=csv', /in the future/],
  ])('%s is refused in words', async (path, words) => {
    const { status, body } = await console.get(`/api/downloads/${path}`);
    expect({ status, body }).toEqual({ status: 400, body: { message: expect.stringMatching(words) } });
  });

  test('leaves nothing on the machine, also if the browser goes away', async () => {
    // The usual one has files of other processes.
    const folder = temporaryFolder();
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const files = () => readdirSync(folder);
    const gone = new AbortController();
    const ended = download('tables/balances?format=csv', gone.signal);
    await eventually(() => files().length > 0);
    gone.abort();
    await expect(ended).rejects.toThrow();
    await eventually(() => files().length === 0);
  });
});

test('the report is a workbook of the moment, with a name that says so', async () => {
  const at = receivedAt.toISOString();
  const response = await download(`report?at=${at}`);
  expect(response.headers.get('Content-Disposition')).toContain('filename="stock 2');
  const workbook = Buffer.from(await response.arrayBuffer());
  expect(await parseWorkbook(workbook)).toMatchObject({ sheet: 'Overview', sheetCount: 5 });
  expect((await download('report?at=yesterday')).status).toBe(400);
});

test('a file that is written while batches are being read says so', async () => {
  const folder = temporaryFolder();
  const stockFile = join(folder, 'stock.sqlite');
  const { db } = makeStock({ north: [{ at: 1, entries: [entry('A', 1)] }] }, stockFile);
  const table = { kind: 'table', name: 'balances', parameters: {} } as const;
  const report = { kind: 'report', deploymentName: '', at: undefined } as const;
  const noticesOf = (download: Download) =>
    writeDownload({
      ...{ download, stockFile, out: join(folder, 'out'), where: session.where },
      format: { kind: 'xlsx' },
      maxGigabytes: 1,
    });
  const notice = 'still being read, so the file may lack data. Download it again later.';
  for (const name of ['balances', 'codes'])
    expect(await noticesOf({ ...table, name })).toEqual([`The stock is ${notice}`]);
  db.exec(`INSERT INTO meta VALUES ('checked', '')`);
  expect(await noticesOf(table)).toEqual([]);
  db.exec("UPDATE batch SET state = 'unread'");
  db.close();
  for (const download of [table, report]) expect(await noticesOf(download)).toEqual([`1 batch is ${notice}`]);
  for (const name of ['clients', 'codes']) expect(await noticesOf({ ...table, name })).toEqual([]);
});

test('the table of clients and its download have no hash and no salt', async () => {
  await console.post('/api/clients/north', {
    action: 'rotate',
    overlapHours: 2,
    isAgain: false,
    confirmed: true,
  });
  const { client } = await storedClient(testClient(), names.Clients, 'north');
  const columns = encodeURIComponent('["Client","PreviousUntil"]');
  expect(await textOf(`tables/clients?search=nor&columns=${columns}&format=csv`)).toBe(
    `Client,Previous valid until\r\nnorth,${client.PreviousUntil}\r\n`,
  );
  const file = await textOf('tables/clients?format=csv');
  const { text: page } = await console.send('/api/tables/clients');
  for (const name of ['Salt', 'Hash', 'PreviousSalt', 'PreviousHash'] as const) {
    const secret = client[name] ?? 'It has none.';
    expect({ secret, file, page }).toEqual({
      secret: expect.stringMatching(/^[\w+/=]{20,}$/),
      file: expect.not.stringContaining(secret),
      page: expect.not.stringContaining(secret),
    });
  }
});

test('a download of a query has all of its rows in the order of the page', async () => {
  const sql = encodeURIComponent(
    "SELECT material, value FROM balance WHERE warehouse = 'north' ORDER BY value",
  );
  const lines = ['material;value', '00123;-2', 'A;0,1', 'B;1234,5', ''];
  const path = `tables/query?sql=${sql}&columns=["1","2"]&format=csv-comma`;
  expect(await textOf(path)).toBe(lines.join('\r\n'));
  const [titles, ...rows] = lines.slice(0, -1);
  expect(await textOf(`${path}&sort=-2`)).toBe([titles, ...rows.reverse(), ''].join('\r\n'));
});

test('a download of a list has what the command exports, and its notices', async () => {
  const response = await download('lists/MaterialCodes?format=csv');
  expect(JSON.parse(decodeURIComponent(response.headers.get('Notices') ?? ''))).toHaveLength(1);
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(
    (await adminHereOn(data, ['codes', 'export', '--csv'])).stdout,
  );
});

describe('a query that asks for too much, or for nothing, ends with a sentence', () => {
  const numbers = 'WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n';
  /** More than a query may take, but less than all together. */
  const keeping = `${numbers} LIMIT 1300), kept AS MATERIALIZED (SELECT zeroblob(1000000) AS b FROM n) SELECT count(b) FROM kept`;

  test.each([
    ['/api/tables/query?', keeping, /^This needed too much memory, so it was ended. It may take 1 GB/],
    ['/api/downloads/tables/query?format=csv&', keeping, /^This needed too much memory/],
    ['/api/tables/query?', 'SELECT name FROM main.client', /^There is no view main\.client\./],
    ['/api/downloads/tables/query?format=csv&', 'SELECT :name', /^The query has a parameter/],
    ['/api/tables/query?', 'SELECT hex(zeroblob(300000000))', /^A value of the query has more than 16 MB\./],
  ])('%s with %s', async (path, sql, words) => {
    const { status, body } = await console.get(`${path}sql=${encodeURIComponent(sql)}`);
    expect({ status, body }).toEqual({ status: 400, body: { message: expect.stringMatching(words) } });
  });
});
