import { globSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseWorkbook } from '../../../admin/lists/files/parse-workbook.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { storedClient } from '../../support/clients.ts';
import { eventually } from '../../support/local-run.ts';
import { startFaultyEngine, testClient } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { emptyDeployment, ODD, putBatch, putItems } from '../tables.ts';
import { holdProcess, startTestConsole, type TestConsole, watchProcesses } from './test-console.ts';

/** A table may be edited by hand. */
const HOSTILE = 'a"; filename=evil.exe\r\nX: Болт-1/006';
const ENDLESS = 'WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n) SELECT n FROM n';

const engine = await startFaultyEngine();
const deployed = { clients: ['north', 'south'], engine: engine.endpoint };
const { names, data } = await emptyDeployment(deployed);
const receivedAt = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS);
/** On the clock of this machine, because these requests name no zone. */
const localTime = (time: Date) => time.toLocaleString('sv-SE');
const hoursBefore = (hours: number) => new Date(receivedAt.getTime() - hours * HOUR_MS);
const orders = ['OT1234567', 'OT1234568'];
const entries = [entryOf('B', 1234.5, 'kg', orders), entryOf('A', 0.1), entryOf('00123', -2)];
// The newest two are read first.
await putBatch(names.BalanceSnapshots, 'north', hoursBefore(2), [entryOf('B', 1)]);
await putBatch(names.BalanceSnapshots, 'north', hoursBefore(1), [entryOf('B', 1)]);
await putBatch(names.BalanceSnapshots, 'north', receivedAt, entries);
await putBatch(names.BalanceSnapshots, 'south', receivedAt, [entryOf('A', 0.2), entryOf(HOSTILE, 2)]);
await putItems(names.MaterialCodes, [
  { MaterialCode: { S: 'B' }, Name: { S: '=1+1; "Bolt"' } },
  { MaterialCode: { S: '00123' }, Sizes: { L: [{ N: '1.5' }] } },
  ...['0.085', '1.234', '1234', '12345678901234567890.5', '-7.85'].map((N, index) => ({
    ...{ MaterialCode: { S: `Kabel-8,${index}` }, 'Größe; mm': { N }, 'a: b:number': { S: '007' } },
    ...(index === 0 ? ODD : index === 1 ? {} : { Unit: { S: 'kg' }, Name: { S: '-5;=1+1' } }),
  })),
]);

let console: TestConsole;
let stopped: Promise<void> | undefined;
beforeAll(async () => {
  console = await startTestConsole(data, { cache: false, maxGigabytes: 0.001 });
  await console.read();
});
afterAll(async () => {
  await (stopped ?? console.stop());
  await engine.stop();
});

const download = (path: string, signal?: AbortSignal, { origin, cookie } = console) =>
  fetch(`${origin}/api/downloads/${path}`, {
    headers: { Cookie: cookie },
    signal: signal ?? null,
  });
const textOf = async (path: string) => (await download(path)).text();
const noticesOf = ({ headers }: Response): string[] =>
  JSON.parse(decodeURIComponent(headers.get('Notices') ?? ''));

test('a file that is written while batches are being read says so, if it needs them', async () => {
  const [listed, read] = [Promise.withResolvers<'through'>(), Promise.withResolvers<'through'>()];
  engine.decide((action, _, { body }) => {
    if (action !== 'Query' || !body.includes(names.BalanceSnapshots)) return 'through';
    return body.includes('#sortKey < :key') ? read.promise : listed.promise;
  });
  const reading = await startTestConsole(data, { cache: false });
  onTestFinished(async () => {
    for (const held of [listed, read]) held.resolve('through');
    engine.decide(() => 'through');
    await reading.stop();
  });
  const noticesNow = async (path: string) => noticesOf(await download(path, undefined, reading));
  const notice = 'still being read, so the file may lack data. Download it again later.';
  expect(await noticesNow('tables/clients?format=xlsx')).toEqual([`The stock is ${notice}`]);
  listed.resolve('through');
  await eventually(async () => {
    const { isFirstRead } = (await reading.get('/api/state')).body;
    return !isFirstRead;
  });
  const since = `From batches since ${localTime(hoursBefore(1))}.`;
  for (const path of ['tables/balances?format=xlsx', 'report'])
    expect(await noticesNow(path)).toEqual([`Batches are ${notice}`, since]);
  for (const table of ['balances', 'totals']) {
    const path = `tables/${table}?format=csv&columns=["MaterialCode"]`;
    const shown = await (await download(path, undefined, reading)).text();
    expect(shown).toContain(`\r\nB,${localTime(hoursBefore(1))}\r\n`);
  }
  expect(await noticesNow('tables/clients?format=xlsx')).toEqual([]);
});

/** The two names in the header, the one for old browsers first. */
const fileNamesOf = ({ headers }: Response) => {
  const header = headers.get('Content-Disposition') ?? '';
  const given = /^attachment; filename="([ -!#-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header);
  return given?.slice(1).map(decodeURIComponent);
};
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const UTC = receivedAt.toISOString();
const TIME = localTime(receivedAt).replaceAll(':', '.');

describe('a download of a table', () => {
  test('has the rows, the order and the titles that the page shows, and notices in a header', async () => {
    const path = `tables/balances?client=north&sort=-StockBalance&limit=1&at=${UTC}&format=csv`;
    const response = await download(path);
    const [titles = '', ...rows] = Buffer.from(await response.arrayBuffer())
      .toString()
      .split('\r\n');
    expect(titles).toMatch(/^\uFEFFMaterial,/);
    expect(titles.split(',')).toEqual(
      expect.arrayContaining(['Name', 'Warehouse', 'Balance', `Received (${ZONE})`]),
    );
    expect(rows.map((row) => row.split(',')[0])).toEqual(['B', 'A', '00123', '']);
    expect(rows[0]).toMatch(/^B,north,1234\.5,kg,"'=1\+1; ""Bolt""",.*OT1234567 OT1234568/);
    expect(rows[0]).toContain(localTime(receivedAt));
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(fileNamesOf(response)).toEqual([`balances north ${TIME}.csv`, `balances north ${TIME}.csv`]);
    expect(noticesOf(response)).toEqual([
      expect.stringMatching(/^1 text looks like a number or a date to a spreadsheet, such as "00123"\./),
    ]);
  });

  test('has only the columns that the page shows, and the findings of the moment', async () => {
    const columns = encodeURIComponent('["Gone","Subject","Kind"]');
    const path = `tables/findings?kind=unlisted-code&client=north&columns=${columns}&format=csv`;
    const [titles, ...rows] = (await textOf(`${path}&at=${UTC}`)).split('\r\n');
    expect([titles?.split(',').toSorted(), rows.length]).toEqual([['Kind', 'Subject'], 2]);
    expect(rows[0]).toMatch(/\bA\b/);
    const before = new Date(receivedAt.getTime() - 1).toISOString();
    expect(await textOf(`${path}&at=${before}`)).toBe(`${titles}\r\n`);
  });

  test('is a workbook with numbers', async () => {
    const response = await download('tables/totals?search=A&sort=MaterialCode&format=xlsx');
    expect(response.headers.get('Content-Type')).toContain('spreadsheetml');
    const { rows } = await parseWorkbook(Buffer.from(await response.arrayBuffer()));
    expect(rows[1]).toEqual(expect.arrayContaining(['A', 0.3, 'kg', 2]));
  });

  test('has a name of two filters that a header and a file can have', async () => {
    const filters = new URLSearchParams({ material: HOSTILE, client: '鋼'.repeat(256), search: 'third' });
    const names = fileNamesOf(await download(`tables/history?${filters}&at=${UTC}&format=csv`));
    expect(names).toEqual(
      ['____', 'Болт'].map((word, index) => {
        const client = (index ? '鋼' : '_').repeat(40);
        return `history a-; filename=evil.exe--X- ${word}-1-006 ${client} ${TIME}.csv`;
      }),
    );
  });

  test('leaves nothing on the machine if the browser goes away', async () => {
    const folder = temporaryFolder();
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const started = watchProcesses();
    const gone = new AbortController();
    const path = `tables/query?sql=${encodeURIComponent(ENDLESS.replace(/n FROM n$/, 'count(n) FROM n'))}&format=csv`;
    const ended = expect(download(path, gone.signal)).rejects.toThrow();
    await eventually(() => started().length === 1);
    holdProcess(started()[0]);
    expect(readdirSync(folder)).toHaveLength(1);
    gone.abort();
    await ended;
    await eventually(() => started().length === 0 && readdirSync(folder).length === 0);
  });
});

test('the report is a workbook of the moment, with a name that says so', async () => {
  const response = await download(`report?at=${UTC}`);
  expect(fileNamesOf(response)).toContain(`stock ${TIME}.xlsx`);
  const workbook = Buffer.from(await response.arrayBuffer());
  expect(await parseWorkbook(workbook)).toMatchObject({ sheet: 'Overview', sheetCount: 6 });
});

test('a comparison is one workbook, with the rows of the page and a name that says which moments', async () => {
  const search = encodeURIComponent('a, b');
  const response = await download(
    `comparison?before=${hoursBefore(1).toISOString()}&at=${UTC}&search=${search}`,
  );
  const before = localTime(hoursBefore(1)).replaceAll(':', '.');
  expect(fileNamesOf(response)).toContain(`compare ${before} ${TIME}.xlsx`);
  const table = await download(
    `tables/comparedUnits?before=${hoursBefore(1).toISOString()}&at=${UTC}&format=csv`,
  );
  expect(fileNamesOf(table)).toContain(`compared units ${before} ${TIME}.csv`);
  const workbook = Buffer.from(await response.arrayBuffer());
  const { sheet, sheetCount, rows } = await parseWorkbook(workbook);
  expect({ sheet, sheetCount }).toEqual({ sheet: 'Units', sheetCount: 3 });
  expect(rows.at(-1)).toEqual(['kg', 1, 1234.8, 1233.8, 3, '']);
});

test('the table of clients and its download have no hash and no salt', async () => {
  const rotation = { action: 'rotate', overlapHours: 2, isAgain: false, confirmed: true };
  await console.post('/api/clients/north', rotation);
  const { client } = await storedClient(testClient(), names.Clients, 'north');
  const file = await textOf('tables/clients?format=csv');
  const { text: page } = await console.send('/api/tables/clients');
  expect(file).toContain(`,${localTime(new Date(client.PreviousUntil ?? ''))},`);
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
  const sql = "SELECT material, value FROM balance WHERE warehouse = 'north' ORDER BY value";
  const path = `tables/query?sql=${encodeURIComponent(sql)}&limit=1&sort=-2&format=csv-comma`;
  const response = await download(path);
  expect(await response.text()).toBe('material;value\r\nB;1234,5\r\nA;0,1\r\n00123;-2\r\n');
  expect(fileNamesOf(response)?.[0]).toMatch(/^query \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.csv$/);
});

test('a download of rows without end is ended when its file is too large', async () => {
  const pathOf = (sql: string) => `tables/query?sql=${encodeURIComponent(sql)}&format=csv`;
  const message = 'The file would have more than 0.001 GB. Ask for less at a time.';
  expect(await (await download(pathOf(ENDLESS))).json()).toEqual({ message });
  // A title, two ends of lines and the mark of UTF-8 have 8 bytes.
  const largest = await download(pathOf("SELECT 'xx' || hex(zeroblob(499995)) AS a"));
  expect((await largest.arrayBuffer()).byteLength).toBe(1_000_000);
});

test('a download of a list with very long texts and very many names has notices that fit a header', async () => {
  const alike = Array.from({ length: 200 }, (_, index) => [`Ключ ${index}`, `Ключ ${index} `]).flat();
  const attributes = Object.fromEntries(alike.map((name) => [name, { S: '0'.repeat(900) }]));
  const long = { PurchaseOrder: { S: 'OT1234567' }, A: { S: '0'.repeat(20_000) } };
  await putItems(names.PurchaseOrders, [{ ...long, ...attributes }]);
  expect(noticesOf(await download('lists/orders?format=csv'))).toEqual([
    'The attributes "Ключ 0", "Ключ 0 ", "Ключ 1", "Ключ 1 ", "Ключ 10" and 395 more differ only in spaces. An import will refuse the file.',
    expect.stringMatching(
      /^401 texts look like a number .*, such as "0{80}…"\. A spreadsheet may change them\./,
    ),
  ]);
});

test('a download of a list has what the command exports, and its notices', async () => {
  const response = await download('lists/codes?format=csv');
  expect(noticesOf(response)).toHaveLength(1);
  expect(fileNamesOf(response)?.[0]).toMatch(/^codes \d{4}-.*\.csv$/);
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(
    (await adminHereOn(data, ['codes', 'export', '--csv'])).stdout,
  );
});

describe('a download of a list', () => {
  const importOf = async (query: string, ...options: string[]) => {
    const file = join(temporaryFolder(), `codes.${query.includes('xlsx') ? 'xlsx' : 'csv'}`);
    writeFileSync(file, Buffer.from(await (await download(`lists/codes?${query}`)).arrayBuffer()));
    return adminHereOn(data, ['codes', 'import', file, ...options]);
  };

  test.each(['xlsx', 'csv', 'csv-comma'])('as %s is imported without a change', async (format) => {
    const unchanged = (rows: number) => {
      return { code: 0, stderr: `0 rows added, 0 changed, 0 removed, ${rows} unchanged.\n` };
    };
    expect(await importOf(`format=${format}`, '--replace')).toMatchObject(unchanged(7));
    expect(await importOf(`format=${format}&search=kabel kg`)).toMatchObject(unchanged(3));
  });

  test('has the rows that a search finds, as the page shows them, and their name', async () => {
    const search = encodeURIComponent('КАВЕL 5;=');
    const response = await download(`lists/codes?search=${search}&format=csv`);
    expect(fileNamesOf(response)?.[1]).toMatch(/^codes КАВЕL 5;= \d/);
    const codes = (await response.text()).match(/Kabel-8,\d/g);
    const { rows } = (await console.get(`/api/tables/codes?search=${search}`)).body;
    expect(codes).toEqual(['Kabel-8,2', 'Kabel-8,3', 'Kabel-8,4']);
    expect(rows.map(([code]: string[]) => code)).toEqual(codes);
  });
});

test('the end of a console without a cache leaves nothing on the machine', async () => {
  const own = () => globSync(`{/dev/shm,${tmpdir()}}/warehouse-admin-${process.pid}-*`);
  expect(own()).toHaveLength(1);
  stopped = console.stop();
  await stopped;
  expect(own()).toEqual([]);
});
