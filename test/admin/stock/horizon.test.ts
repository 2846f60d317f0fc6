import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { createLoader } from '../../../admin/stock/loading/load-stock.ts';
import { readStockState } from '../../../admin/stock/queries/read-state.ts';
import type { TableName } from '../../../shared/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { openConsole } from '../../support/console.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { startTestConsole, testSession } from '../console/test-console.ts';
import { adminHereOn } from '../in-process.ts';
import { columnOf, readSheets } from '../read-sheets.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const timeOf = (days: number) => `${daysAgo(days).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

/** How many batches were read. */
let reads = 0;
/** A page has at most two batches, as if they were large. */
const readInPages = (isDenied = (_: Buffer) => false) =>
  engine.decide(async (action, _, { incoming, body }) => {
    if (action !== 'Query' || !body.includes(names.BalanceSnapshots)) return 'through';
    if (isDenied(body)) return 'deny';
    const query = JSON.stringify({ Limit: 2, ...JSON.parse(String(body)) });
    const headers = ['content-type', 'authorization', 'x-amz-target', 'x-amz-date'].map((name) => [
      name,
      String(incoming.headers[name] ?? ''),
    ]);
    const response = await fetch(inject('dynamoDbEndpoint'), {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body: query,
    });
    const text = await response.text();
    reads += JSON.parse(text).Count;
    return { status: response.status, headers: { 'Content-Type': 'application/x-amz-json-1.0' }, body: text };
  });

let names: Record<TableName, string>;
let data: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  ({ names, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] }));
  readInPages();
  for (const days of [1, 20, 33, 34, 50, 70, 90, 110]) await send('north', days);
  for (const days of [2, 60]) await send('south', days);
  reads = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** Each batch has a material of its own, and one that changes with each batch. */
const send = (client: string, days: number, expiresAt?: Date) =>
  putBatch(
    names.BalanceSnapshots,
    client,
    daysAgo(days),
    [entryOf(`M${days}`, days), entryOf('A', days), entryOf('same', 1)],
    expiresAt ? { expiresAt } : {},
  );

/** A machine whose commands keep what they have read. */
const newMachine = () => {
  const folder = temporaryFolder();
  return async (...line: string[]) => {
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
    const { code, stdout, stderr } = await adminHereOn(data, line);
    if (code !== 0) throw new Error(stderr);
    return { stdout, stderr };
  };
};
const codesOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout).map(({ MaterialCode = '' }) => MaterialCode);

describe('the first read', () => {
  test('goes back 31 days, says so, and reads no batch twice', async () => {
    const machine = newMachine();
    const shown = await machine('balances', '--json');
    expect(codesOf(shown).toSorted()).toEqual([
      'A',
      'A',
      'M1',
      'M2',
      'M20',
      'M33',
      'M34',
      'M60',
      'same',
      'same',
    ]);
    expect(shown.stderr).toBe(`From batches since ${timeOf(34)}. --history 1y reads further back.\n`);
    expect(reads).toBe(6);
    const since = JSON.parse(shown.stdout).find(
      ({ MaterialCode = '' }) => MaterialCode === 'same',
    ).SinceAtLeast;
    expect(since).toBe(daysAgo(34).toISOString());
    // Only the newest of each client are read again.
    reads = 0;
    expect((await machine('balances', '--csv')).stderr).toBe(shown.stderr);
    expect(reads).toBe(2);
  });

  test('goes further with --history, which says how much that is, and later reads forget none of it', async () => {
    const machine = newMachine();
    const shown = await machine('balances', '--history', '60d', '--json');
    expect(codesOf(shown)).toEqual(expect.arrayContaining(['M50', 'M70']));
    expect(codesOf(shown)).not.toContain('M90');
    expect(shown.stderr).toBe(
      'Reading older batches: about 3 batches, less than $0.01, less than a minute. If you end it early, the next run goes on.\n' +
        `From batches since ${timeOf(70)}. --history 1y reads further back.\n`,
    );
    vi.setSystemTime(daysAgo(-1));
    await send('north', -0.5);
    expect(codesOf(await machine('balances', '--json'))).toEqual(expect.arrayContaining(['M-0.5', 'M70']));
    const all = await machine('balances', '--history', '1y', '--json');
    expect(codesOf(all)).toContain('M110');
    expect(all.stderr).toMatch(/^Reading older batches: [^\n]*\n$/);
  });

  test('does not expect more than the service keeps', async () => {
    const machine = newMachine();
    await send('north', 0.5, daysAgo(-59.5));
    const { stderr } = await machine('balances', '--client', 'north', '--history', '1y');
    // 4 batches of 33 days are read, and the service keeps 60 days.
    expect(stderr).toMatch(/^Reading older batches: about 3 batches,/);
  });

  test('asks again for a page that the table throttles', async () => {
    let calls = 0;
    engine.decide((action, _, { body }) => {
      if (action !== 'Query' || !body.includes('#sortKey < :key')) return 'through';
      calls += 1;
      // The SDK gives up after three.
      return calls < 5 ? 'throttle' : 'through';
    });
    expect(codesOf(await newMachine()('balances', '--client', 'north', '--json'))).toContain('M110');
  });

  test('that was ended early goes on where it was', async () => {
    const machine = newMachine();
    readInPages((body) => body.includes('#sortKey < :key') && body.includes(daysAgo(34).toISOString()));
    // The price comes first.
    const said = /^Reading older batches: about \d+ batches, [^\n]*\n.*not authorized/s;
    await expect(machine('balances', '--history', '1y')).rejects.toThrow(said);
    readInPages();
    reads = 0;
    await machine('balances', '--history', '1y');
    // The newest of each client, and the four oldest of north.
    expect(reads).toBe(6);
  });
});

describe('what older batches could change says from which batches it is', () => {
  const SINCE = daysAgo(34).toISOString();
  const ofClients = [
    ['north', SINCE],
    ['south', daysAgo(60).toISOString()],
  ];

  test('in each row of balances in JSON and CSV, until all is read', async () => {
    const machine = newMachine();
    const balances = async (...line: string[]) => {
      const rows = JSON.parse((await machine('balances', '--json', ...line)).stdout);
      const pairs: [string, string | null][] = rows.map(
        ({ Client, BatchesSince }: { Client: string; BatchesSince: string | null }) => [Client, BatchesSince],
      );
      return [...new Map(pairs)];
    };
    expect(await balances()).toEqual(ofClients);
    expect(await balances('--at', '1h')).toEqual(ofClients);
    const [titles = '', ...lines] = (await machine('balances', '--csv')).stdout.trimEnd().split('\r\n');
    expect(titles).toMatch(/,SinceAtLeast,Difference,BatchesSince$/);
    expect(lines.find((line) => line.startsWith('same,1,kg,,north,'))).toMatch(`,${SINCE},,${SINCE}`);
    expect(await balances('--history', '1y')).toEqual([
      ['north', null],
      ['south', null],
    ]);
  });

  test('in each row of the totals of the console', async () => {
    const console = await openConsole(data, { isInThreads: false });
    onTestFinished(() => console.stop());
    await console.ask('state');
    const known = async (table: string, parameters = {}) =>
      (await console.rows(table, parameters)).map(({ BatchesSince }) => BatchesSince);
    expect(new Set(await known('totals'))).toEqual(new Set([daysAgo(34).getTime()]));
    expect(new Set(await known('totals', { client: 'south' }))).toEqual(new Set([daysAgo(60).getTime()]));
  });

  test('in a report, and in its counts', async () => {
    const out = join(temporaryFolder(), 'report.xlsx');
    const machine = newMachine();
    const report = async (...line: string[]) =>
      JSON.parse((await machine('report', '--out', out, '--json', ...line)).stdout);
    expect(await report('--client', 'south')).toMatchObject({ BatchesSince: daysAgo(60).toISOString() });
    expect(await report()).toMatchObject({ Balances: 10, BatchesSince: SINCE });
    const [overview, , , balances] = readSheets(readFileSync(out));
    expect([...(overview?.cells.values() ?? [])]).toContainEqual(
      expect.stringMatching(/^From batches since \d{4}-/),
    );
    expect(columnOf(balances, 'From batches since')).toHaveLength(10);
  });
});

const REPORT = join(temporaryFolder(), 'report.xlsx');
const ID = `${daysAgo(70).toISOString()}-test`;
test.each([
  ...['balances --at 60d', 'balances --since 80d', 'history same --at 60d', 'history same --since 80d'],
  ...['snapshots list --at 60d', 'snapshots list --since 80d', 'snapshots export --since 80d'],
  ...[
    'snapshots show 70d --client north',
    'snapshots show latest --at 70d --client north',
    `snapshots show ${ID}`,
  ],
  ...['snapshots diff 70d latest --client north', 'snapshots diff 90d 50d --client north', 'check --at 60d'],
  ...['report --at 60d --out REPORT', 'report --since 80d --out REPORT'],
])('%s shows the same as on a machine that has read all', async (line) => {
  const words = [...line.replace('REPORT', REPORT).split(' '), '--json'];
  const all = newMachine();
  await all('balances', '--history', '1y');
  /** Only what a machine has read differs, and so does the size of a workbook that says it. */
  const toShown = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout, (name, value) => (['BatchesSince', 'Bytes'].includes(name) ? undefined : value));
  expect(toShown(await newMachine()(...words))).toEqual(toShown(await all(...words)));
});

test('a query for a time that was not read reads the batches of that time first', async () => {
  const query = 'select snapshot_id from batch order by snapshot_id desc limit 1';
  const shown = await newMachine()('sql', query, '--at', '70d', '--json');
  expect(JSON.parse(shown.stdout)).toEqual([{ snapshot_id: ID }]);
  expect(shown.stderr).toMatch(/^As of .*\nReading older batches: /);
});

test('each batch that came since the last command is read, whatever their number', async () => {
  for (const count of [1, 2, 3, 4, 5, 6]) {
    const machine = newMachine();
    await machine('balances', '--client', 'south');
    vi.setSystemTime(Date.now() + DAY_MS);
    for (let hours = count; hours > 0; hours -= 1)
      await send('south', (NOW.getTime() - Date.now()) / DAY_MS + hours / 24);
    reads = 0;
    await machine('snapshots', 'list', '--client', 'south');
    // A page begins with the last batch of the page before, and the newest two are read twice.
    expect(reads).toBeLessThanOrEqual(2 * count + 4);
    for (const line of ['snapshots list', 'history A', 'history same']) {
      const words = [...line.split(' '), '--client', 'south', '--json'];
      expect((await machine(...words)).stdout).toBe((await newMachine()(...words)).stdout);
    }
  }
});

test('after days away, check says since when it finds something only after it has read all batches between', async () => {
  const machine = newMachine();
  const sinceOf = async (subject: string) =>
    JSON.parse(
      (await machine('check', '--client', 'south', '--kind', 'unlisted-code', '--json')).stdout,
    ).find(({ Subject }: { Subject: string }) => Subject === subject)?.SinceAtLeast;
  expect(await sinceOf('same')).toBe(daysAgo(60).toISOString());
  vi.setSystemTime(daysAgo(-10));
  for (const days of [-1, -3, -4, -5, -6]) await send('south', days);
  await putBatch(names.BalanceSnapshots, 'south', daysAgo(-2), [entryOf('A', 1)]);
  expect(await sinceOf('same')).toBe(daysAgo(-3).toISOString());
});

describe('the console', () => {
  const open = async () => {
    const console = await openConsole(data, { isInThreads: false });
    onTestFinished(() => console.stop());
    return console;
  };

  test('says since when batches are known, and what older ones cost, back to a moment or of a year', async () => {
    const console = await open();
    expect(await console.ask('state')).toMatchObject({ share: 1, knownSince: daysAgo(34).getTime() });
    expect(await console.ask('older')).toMatchObject({ since: daysAgo(365).getTime(), batches: 49 });
    const at = daysAgo(50).toISOString();
    const offer = await console.ask('older', { at });
    expect(offer).toMatchObject({ since: daysAgo(50).getTime(), batches: 2 });
    expect(await console.post('/api/older', { since: offer.since })).toMatchObject({ status: 200 });
    expect(codesOfRows(await console.rows('balances', { at }))).toEqual([
      'A',
      'A',
      'M50',
      'M60',
      'M70',
      'same',
      'same',
    ]);
    expect(await console.ask('state')).toMatchObject({ share: 1, knownSince: daysAgo(60).getTime() });
  });

  test('asks the same price as a command', async () => {
    // The stored header counts: this batch cannot be read.
    const large = { ...{ Client: { S: 'north' }, Parts: { N: '1' }, EntryCount: { N: '40000000' } } };
    const at = daysAgo(5).toISOString();
    const header = { SnapshotId: { S: `${at}-large` }, ReceivedAt: { S: at }, RequestId: { S: 'test' } };
    await putItems(names.BalanceSnapshots, [{ ...large, ...header, Balances: { M: {} } }]);
    const console = await open();
    await console.ask('state');
    for (const [moment, line] of [
      [{}, '--history 365d'],
      [{ at: daysAgo(50).toISOString() }, '--at 50d'],
    ] as const) {
      const { batches, dollars, minutes } = await console.ask('older', moment);
      expect(dollars).toBeGreaterThan(0.01);
      const price = `about ${batches} batches, $${dollars.toFixed(2)}, ${Math.ceil(minutes)} minutes.`;
      const { stderr } = await newMachine()('balances', ...line.split(' '));
      expect(stderr).toContain(`Reading older batches: ${price}`);
    }
  });

  test('started with --history reads further back', async () => {
    const console = await startTestConsole(data, { history: daysAgo(365) });
    onTestFinished(() => console.stop());
    await console.read();
    expect((await console.get('/api/state')).body).toMatchObject({ share: 1, knownSince: 0 });
  });

  test('ends a long read early, and finds what is new before it goes on', async () => {
    const stock = openStock(':memory:');
    const session = await testSession(data);
    const load = createLoader(stock);
    const count = () => rowsOf(stock.prepare('SELECT id FROM batch')).length;
    const over = await load(session, { since: daysAgo(365), isOver: () => true });
    expect([over.isComplete, count()]).toEqual([false, 4]);
    expect(readStockState(stock).share).toBeCloseTo((20 + 60) / (2 * 365), 2);
    await send('north', 0);
    const { isComplete } = await load(session, { since: daysAgo(365) });
    expect(isComplete).toBe(true);
    expect(readStockState(stock)).toMatchObject({ share: 1, knownSince: 0 });
    expect(count()).toBe(11);
    vi.setSystemTime(daysAgo(-10));
    for (const days of [-1, -3, -5, -7, -9]) await send('north', days);
    expect((await load(await testSession(data), { isOver: () => true })).isComplete).toBe(false);
    expect([count(), readStockState(stock).hasGap]).toEqual([14, true]);
  });

  test('shows after some days away the newest batches first, and says that others are still being read', async () => {
    const console = await open();
    expect(await console.ask('state')).toMatchObject({ share: 1, hasGap: false });
    vi.setSystemTime(daysAgo(-10));
    for (const days of [-1, -3, -4, -5, -7, -9]) await send('north', days);
    const north = async (table: string, more = {}) => console.rows(table, { client: 'north', ...more });
    const valuesOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
      rows.map(({ StockBalance }) => StockBalance);
    readInPages((body) => body.includes(daysAgo(-1).toISOString()));
    const behind = { hasGap: true, knownSince: daysAgo(-7).getTime(), failure: expect.any(String) };
    expect(await console.ask('state')).toMatchObject(behind);
    expect((await console.ask('state')).share).toBeGreaterThan(0.5);
    expect(codesOfRows(await north('balances'))).toEqual(
      expect.arrayContaining(['M-9', 'M-7', 'M-1', 'M33']),
    );
    expect(valuesOf(await north('history', { material: 'A' }))).toEqual([-9, -7, -1, 1, 20, 33, 34]);
    // More come before the gap is filled.
    for (const days of [-9.5, -9.6, -9.7, -9.8]) await send('north', days);
    vi.setSystemTime(daysAgo(-10.5));
    readInPages((body) => body.includes(daysAgo(-3).toISOString()));
    const further = await console.ask('state');
    expect([further.hasGap, further.share > 0.5]).toEqual([true, true]);
    readInPages();
    expect(await console.ask('state')).toMatchObject({
      ...{ share: 1, hasGap: false, knownSince: daysAgo(34).getTime() },
    });
    const all = [-9.8, -9.7, -9.6, -9.5, -9, -7, -5, -4, -3, -1, 1, 20, 33, 34];
    expect(valuesOf(await north('history', { material: 'A' }))).toEqual(all);
    expect(valuesOf(await north('sentBalances', { material: 'A' }))).toEqual(all);
    expect(valuesOf(await north('history', { material: 'same' }))).toEqual([1]);
  });

  test('does not say that all is read while it cannot read the newest batches after some days away', async () => {
    const stock = openStock(':memory:');
    const load = createLoader(stock);
    await load(await testSession(data), { client: 'north' });
    expect(readStockState(stock).share).toBe(1);
    vi.setSystemTime(daysAgo(-10));
    for (const days of [-1, -3, -5, -9]) await send('north', days);
    readInPages((body) => JSON.parse(String(body)).ScanIndexForward === false);
    await expect(load(await testSession(data), { client: 'north' })).rejects.toThrow();
    // Nine days after the first page of the new batches are missing.
    expect(readStockState(stock).share).toBeCloseTo(1 - 9 / 31, 2);
  });

  test('has nothing to offer once all is read', async () => {
    const console = await open();
    expect(await console.post('/api/older', { since: 0 })).toMatchObject({ status: 200 });
    expect(await console.ask('state')).toMatchObject({ share: 1, knownSince: 0 });
    expect(await console.ask('older')).toBeNull();
  });
});

const codesOfRows = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ MaterialCode }) => MaterialCode);
