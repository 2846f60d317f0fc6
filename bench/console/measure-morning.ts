import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StockState, Work } from '../../admin/console/api.ts';
import { startStock } from '../../admin/console/processes/start-stock.ts';
import { startConsole } from '../../admin/console/server/start-console.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import { MORNING, makeMorning } from '../../test/support/morning.ts';
import { formatNumber, medianOf, numbersTable } from '../markdown.ts';
import { fillTable, startService } from '../service.ts';

const QUICK = { warehouses: 12, balances: 200, batches: 3 };
const RUNS = 5;

/** Starts a console, and asks it as a browser that has opened its link. */
const openConsole = async (where: Parameters<typeof openSession>[0]) => {
  const session = await openSession(where);
  const { printedLink, stop } = await startConsole(session, {
    port: 0,
    stock: startStock(session, { cache: false }),
  });
  const { origin } = new URL(printedLink);
  const opened = await fetch(printedLink, { redirect: 'manual' });
  const headers = { Cookie: String(opened.headers.get('set-cookie')).replace(/;.*/, ''), Origin: origin };
  const ask = async (path: string, body?: object) => {
    const startedAt = performance.now();
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/${path}`, {
      ...{ headers: { ...headers, 'Content-Type': 'application/json' } },
      ...post,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${path} has status ${response.status}: ${bytes}`);
    return { ms: performance.now() - startedAt, bytes };
  };
  const read = async <T>(path: string): Promise<T> => JSON.parse(String((await ask(path)).bytes));
  return { ask, read, readState: () => read<StockState>('state'), stop };
};
type Console = Awaited<ReturnType<typeof openConsole>>;

const TICKS_A_SECOND = 100;
/** The processor time of this process and of those that it started, in seconds. Only Linux says so. */
const readProcessorSeconds = async () => {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const stats = await Promise.all(
    children
      .trim()
      .split(' ')
      .map((pid) => readFile(`/proc/${pid}/stat`, 'utf8')),
  );
  const ticks = stats.map((stat) => {
    const [user, system] = stat.replace(/.*\) /, '').split(' ').slice(11);
    return Number(user) + Number(system);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
};

/** Marks a concern as told. Measures until the list of work shows it, and what the console works in the next 10 seconds. */
const measureMark = async ({ ask, read, readState }: Console) => {
  const { cards } = await read<Work>('work');
  const [concern] = cards.flatMap(({ scope, concerns }) => concerns.map((each) => ({ scope, ...each })));
  const secondsBefore = await readProcessorSeconds();
  const startedAt = performance.now();
  await ask('told', { scope: concern?.scope, kind: concern?.kind, mark: 'told', version: null });
  const shown = await read<Work>('work');
  const ms = performance.now() - startedAt;
  if (!JSON.stringify(shown).includes('"told"')) throw new Error('The mark is not shown.');
  // As an open page does.
  for (let second = 0; second < 10; second += 2) {
    await readState();
    await sleep(2_000);
  }
  return { ms, seconds: (await readProcessorSeconds()) - secondsBefore };
};

/** The paths of requests, each as of one of several runs. A moment is checked once, so each run has another one. */
const pathsOf = (inTonnes: string): Record<string, (run: number) => string> => {
  const weekAgo = (run = 0) => new Date(Date.now() - 7 * DAY_MS - run * MINUTE_MS).toISOString();
  const before = weekAgo();
  const wrong = `scope=${inTonnes}&kind=unit-differs&state=open`;
  return {
    'the list of work': () => 'work',
    'the list of work of another moment each time': (run) => `work?at=${weekAgo(run)}`,
    'the kinds of findings': () => 'kinds?state=open',
    'findings of one kind of a warehouse': () => `tables/findings?${wrong}`,
    'findings of one kind of a warehouse, their number': () => `tables/findings/count?${wrong}`,
    'the message to a warehouse': () => `message?client=${inTonnes}`,
    'a search for two words': () => 'tables/balances?search=kabel+003',
    'a search for a balance': () => 'tables/balances?search=1001,125',
    'two moments by warehouse': () => `tables/compared?before=${before}`,
    'two moments by warehouse, their number': () => `tables/compared/count?before=${before}`,
    'two moments by material': () => `tables/comparedMaterials?before=${before}`,
    'two moments by unit': () => `tables/comparedUnits?before=${before}`,
    'the workbook of two moments': () => `downloads/comparison?before=${before}`,
    'the report': () => 'downloads/report?format=xlsx',
  };
};

type Row = [name: string, figure: string];

const measureRequests = async ({ ask }: Console, inTonnes: string, runs: number) => {
  const rows: Row[] = [];
  for (const [name, pathOf] of Object.entries(pathsOf(inTonnes))) {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push((await ask(pathOf(run))).ms);
    rows.push([`${name}, ms`, formatNumber(medianOf(times))]);
  }
  return rows;
};

const measureHere = async (data: string, size: typeof MORNING, runs: number) => {
  const { clients, items, inTonnes } = makeMorning(size, new Date());
  const { dynamodb, where, stop } = await startService(data, clients);
  for (const [table, ofTable] of Object.entries(items)) await fillTable(dynamodb, table, ofTable);
  const startedAt = performance.now();
  const console = await openConsole(where);
  try {
    while ((await console.readState()).share < 1) await sleep(100);
    const readSeconds = (performance.now() - startedAt) / 1_000;
    const requests = await measureRequests(console, inTonnes, runs);
    const mark = await measureMark(console);
    return [
      ...requests,
      ['a mark, until the list of work shows it, ms', formatNumber(mark.ms)],
      ['processor time of the console in the 10 s after a mark, s', formatNumber(mark.seconds, 1)],
      ['the first read of all batches, s', formatNumber(readSeconds)],
    ] satisfies Row[];
  } finally {
    await console.stop();
    await stop();
  }
};

/** A table of what an admin waits for on a bad morning. */
export const measureMorning = async (isQuick: boolean, say: (line: string) => void) => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const size = isQuick ? QUICK : MORNING;
  try {
    say(`a bad morning of ${size.warehouses} warehouses`);
    const rows = await measureHere(data, size, isQuick ? 1 : RUNS);
    const load = formatNumber(loadavg()[0] ?? 0, 1);
    return `${numbersTable(['', `${size.warehouses} × ${formatNumber(size.balances)} balances`], rows)}\n\nThe load of the machine was ${load}.`;
  } finally {
    rmSync(data, { recursive: true });
  }
};
