import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../../admin/deployment/session.ts';
import { stockFileOf } from '../../admin/stock/database/stock-file.ts';
import { DAY_MS } from '../../shared/time.ts';
import { formatNumber, medianOf, numbersTable } from '../markdown.ts';
import { fillTable, startService } from '../service.ts';
import { makeBenchStock } from './console-stock.ts';
import { codeOf, nameOf, namesOf, type Size } from './make-batches.ts';
import { type Server, startServer } from './start-console.ts';

const SIZES: readonly Size[] = [
  { warehouses: 30, balances: 200, batches: 14 },
  { warehouses: 30, balances: 4_000, batches: 14 },
  { warehouses: 30, balances: 40_000, batches: 14 },
];
const QUICK_SIZES: readonly Size[] = [{ warehouses: 3, balances: 400, batches: 3 }];
const RUNS = 7;

/** The path of each page, search and sort, or a path for each run. `id` returns the id of a batch of the first warehouse. */
const pathsOf = (
  { warehouses, balances }: Size,
  id: (batch: number) => string,
): Record<string, string | readonly string[]> => {
  const middle = encodeURIComponent(codeOf(Math.floor(balances / 2)));
  const now = Date.now();
  const momentBefore = (ms: number) => new Date(now - 5 * DAY_MS - ms).toISOString();
  const moment = momentBefore(0);
  const ofAnotherMoment = (pathOf: (at: string) => string) =>
    Array.from({ length: RUNS }, (_, run) => pathOf(momentBefore(run + 1)));
  const sortedTotals = (at: string) => `tables/totals?at=${at}&sort=-StockBalance`;
  const batchKey = (batch: number) => encodeURIComponent(`${nameOf(0)}/${id(batch)}`);
  const sorted = [
    '-StockBalance',
    'Client',
    'StockBalanceUnit',
    '-PurchaseOrders',
    '-ReceivedAt',
    '-SinceAtLeast',
    '-Difference',
  ];
  return {
    'the overview': 'overview',
    'the overview of another moment each time': ofAnotherMoment((at) => `overview?at=${at}`),
    'the choices of filters': 'choices',
    'the page of a material': `materials/${middle}`,
    warehouses: 'tables/warehouses',
    findings: 'tables/findings',
    'findings of a moment': `tables/findings?at=${moment}`,
    'findings of another moment each time': ofAnotherMoment((at) => `tables/findings?at=${at}`),
    batches: 'tables/batches',
    'entries of a batch': `tables/entries?client=${nameOf(0)}&id=${encodeURIComponent(id(1))}`,
    'differences of two batches': `tables/differences?one=${batchKey(0)}&other=${batchKey(1)}`,
    'history of a material': `tables/history?material=${middle}`,
    balances: 'tables/balances',
    'balances of a moment': `tables/balances?at=${moment}`,
    'balances, the last rows': `tables/balances?page=${(warehouses * balances) / 100}`,
    'balances of a moment by -Difference': `tables/balances?at=${moment}&sort=-Difference`,
    'balances with findings': 'tables/balances?finding=any',
    'balances with findings by -StockBalance': 'tables/balances?finding=any&sort=-StockBalance',
    'search for a code': 'tables/balances?search=kabel-00077',
    'search for two words': 'tables/balances?search=kabel+003',
    'search for an order': 'tables/balances?search=OT2000123',
    ...Object.fromEntries(sorted.map((name) => [`balances by ${name}`, `tables/balances?sort=${name}`])),
    totals: 'tables/totals',
    'totals by -StockBalance': 'tables/totals?sort=-StockBalance',
    'totals of a moment': `tables/totals?at=${moment}`,
    'totals of a moment by -StockBalance': sortedTotals(moment),
    'totals of another moment each time, by -StockBalance': ofAnotherMoment(sortedTotals),
  };
};

const measurePages = async ({ ask }: Server, paths: ReturnType<typeof pathsOf>, runs: number) => {
  const measured: [name: string, text: string][] = [];
  let largest = 0;
  const measure = async (name: string, ofRuns: readonly string[]) => {
    const responses = [];
    for (const path of ofRuns) responses.push(await ask(path));
    largest = Math.max(largest, ...responses.map(({ text }) => Buffer.byteLength(text)));
    measured.push([`${name}, ms`, formatNumber(medianOf(responses.map(({ ms }) => ms)), 1)]);
  };
  for (const [name, path] of Object.entries(paths)) {
    const ofRuns = typeof path === 'string' ? Array.from({ length: runs }, () => path) : path.slice(0, runs);
    await measure(name, ofRuns);
    // The number of rows is the same in every order and on every page.
    if (typeof path === 'string' && path.startsWith('tables/') && !/sort=|page=/.test(path))
      await measure(
        `${name}, their number`,
        ofRuns.map((each) => each.replace(/^tables\/\w+/, '$&/count')),
      );
  }
  return [...measured, ['largest response, KB', formatNumber(largest / 1_000)] as const];
};

/** Asks for pages until the findings are those of a new batch. Returns the longest time of a page. */
const measureArrival = async ({ ask, readState }: Server, id: string) => {
  // Makes the console read the service now, and not after half a minute.
  await ask('older', { since: Date.now() });
  let longest = 0;
  while (!(await ask(`tables/findings?client=${nameOf(0)}`)).text.includes(id)) {
    await readState();
    for (const path of ['overview', 'tables/balances']) longest = Math.max(longest, (await ask(path)).ms);
  }
  return longest;
};

/** What was measured, as texts by their names. */
const measureSize = async (folder: string, size: Size, runs: number) => {
  const data = mkdtempSync(join(folder, 'console-'));
  process.env['WAREHOUSE_ADMIN_CACHE'] = data;
  const { dynamodb, where, stop } = await startService(data, namesOf(size));
  try {
    const session = await openSession(where);
    const { snapshotIdOf, arriving, ...made } = await makeBenchStock(
      session,
      stockFileOf(session.deployment),
      size,
    );
    const server = await startServer(data);
    // Until the console has read the service.
    while ((await server.readState()).share < 1) await sleep(100);
    const paths = pathsOf(size, (batch) => snapshotIdOf(0, batch));
    const pages = await measurePages(server, paths, runs);
    await fillTable(dynamodb, 'BalanceSnapshots', arriving);
    const arrivalMs = await measureArrival(server, snapshotIdOf(0, size.batches + 1));
    const figures = new Map([
      ...pages,
      ['a page while a batch arrives, at most, ms', formatNumber(arrivalMs, 1)],
      ['longest block of the console, ms', formatNumber(await server.readBlockMs())],
      ['memory of all processes, at most, MB', formatNumber(server.readMemoryMb())],
      ['file, MB', formatNumber(made.fileMb)],
      ['all batches written, s', formatNumber(made.writeSeconds, 1)],
      ['the next batch written, s', formatNumber(made.nextBatchSeconds, 2)],
      ['all checks, s', formatNumber(made.checkSeconds, 1)],
    ]);
    await server.stop();
    return figures;
  } finally {
    await stop();
  }
};

/** A table of the console's times for each size of stock. */
export const measureConsole = async (isQuick: boolean, say: (line: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  try {
    const sizes = isQuick ? QUICK_SIZES : SIZES;
    const columns: Map<string, string>[] = [];
    for (const size of sizes) {
      say(`the console with ${size.warehouses} warehouses`);
      columns.push(await measureSize(folder, size, isQuick ? 1 : RUNS));
    }
    const heads = sizes.map(
      ({ warehouses, balances }) => `${formatNumber(warehouses)} × ${formatNumber(balances)} balances`,
    );
    const names = [...(columns[0]?.keys() ?? [])];
    return numbersTable(
      ['', ...heads],
      names.map((name) => [name, ...columns.map((column) => column.get(name) ?? '–')]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
