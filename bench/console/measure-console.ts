import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../shared/time.ts';
import { formatNumber, medianOf, numbersTable } from '../markdown.ts';
import { makeBenchStock } from './console-stock.ts';
import { codeOf, nameOf, type Size } from './make-batches.ts';
import { startWatched } from './start-watched.ts';

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
    'balances, their number': 'tables/balances/count',
    'balances of a moment by -Difference': `tables/balances?at=${moment}&sort=-Difference`,
    'balances with findings': 'tables/balances?finding=any',
    'balances with findings by -StockBalance': 'tables/balances?finding=any&sort=-StockBalance',
    'search for a code': 'tables/balances?search=kabel-00077',
    'search for two words': 'tables/balances?search=kabel+003',
    'search for two words, their number': 'tables/balances/count?search=kabel+003',
    'search for an order': 'tables/balances?search=OT2000123',
    ...Object.fromEntries(sorted.map((name) => [`balances by ${name}`, `tables/balances?sort=${name}`])),
    totals: 'tables/totals',
    'totals by -StockBalance': 'tables/totals?sort=-StockBalance',
    'totals of a moment': `tables/totals?at=${moment}`,
    'totals of a moment, their number': `tables/totals/count?at=${moment}`,
    'totals of a moment by -StockBalance': sortedTotals(moment),
    'totals of another moment each time, by -StockBalance': ofAnotherMoment(sortedTotals),
  };
};

const startServer = async (file: string) => {
  const { child, ...server } = startWatched(new URL('console-server.ts', import.meta.url), [file]);
  const [port] = await once(child, 'message');
  // Leaves out the start of the server.
  await server.readHealth();
  return {
    ...server,
    ask: async (path: string) => {
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/${path}`);
      const { byteLength: bytes } = await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} has status ${response.status}.`);
      return { ms: performance.now() - startedAt, bytes };
    },
  };
};

/** What was measured, as texts by their names. */
const measureSize = async (folder: string, size: Size, runs: number) => {
  const file = join(folder, `${size.warehouses}-${size.balances}.sqlite`);
  const { snapshotIdOf, ...made } = makeBenchStock(file, size);
  const server = await startServer(file);
  const measured: [name: string, text: string][] = [];
  let largest = 0;
  for (const [name, paths] of Object.entries(pathsOf(size, (batch) => snapshotIdOf(0, batch)))) {
    const ofRuns =
      typeof paths === 'string' ? Array.from({ length: runs }, () => paths) : paths.slice(0, runs);
    const responses = [];
    for (const path of ofRuns) responses.push(await server.ask(path));
    largest = Math.max(largest, ...responses.map(({ bytes }) => bytes));
    measured.push([`${name}, ms`, formatNumber(medianOf(responses.map(({ ms }) => ms)), 1)]);
  }
  const { blockMs, rssMb } = await server.readHealth();
  await server.stop();
  measured.push(
    ['largest response, KB', formatNumber(largest / 1_000)],
    ['longest block of the console, ms', formatNumber(blockMs)],
    ['memory of the console, MB', formatNumber(rssMb)],
    ['file, MB', formatNumber(made.fileMb)],
    ['all batches written, s', formatNumber(made.writeSeconds, 1)],
    ['the next batch written, s', formatNumber(made.nextBatchSeconds, 2)],
    ['all checks, s', formatNumber(made.checkSeconds, 1)],
  );
  return new Map(measured);
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
