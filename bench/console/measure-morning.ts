import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StockState, Work } from '../../admin/console/api.ts';
import { startStock } from '../../admin/console/processes/start-stock.ts';
import { startConsole } from '../../admin/console/server/start-console.ts';
import { openSession, type Session } from '../../admin/deployment/session.ts';
import { keepFindings } from '../../admin/stock/checks/show-findings.ts';
import { stockFileOf } from '../../admin/stock/database/stock-file.ts';
import { type Snapshot, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import { MORNING, makeMorning } from '../../test/support/morning.ts';
import { formatNumber, numbersTable } from '../markdown.ts';
import { fillTable, startService } from '../service.ts';
import { openBenchStock } from './console-stock.ts';

const QUICK = { warehouses: 12, balances: 200, batches: 3 };
const RUNS = 3;

/** Starts a console, and asks it as a browser that has opened its link. */
const openConsole = async (session: Session) => {
  const { printedLink, stop } = await startConsole(session, { port: 0, stock: startStock(session) });
  const { origin } = new URL(printedLink);
  const opened = await fetch(printedLink, { redirect: 'manual' });
  const headers = { Cookie: String(opened.headers.get('set-cookie')).replace(/;.*/, ''), Origin: origin };
  const ask = async (path: string, body?: object) => {
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/${path}`, {
      ...{ headers: { ...headers, 'Content-Type': 'application/json' } },
      ...post,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${path} has status ${response.status}: ${bytes}`);
    return bytes;
  };
  const read = async <T>(path: string): Promise<T> => JSON.parse(String(await ask(path)));
  return { ask, read, readState: () => read<StockState>('state'), stop };
};
type Console = Awaited<ReturnType<typeof openConsole>>;

const MS_OF_TICK = 10;
/** The processor time of this process, and of those that it has started, in milliseconds. Only Linux says so. */
const readProcessorMs = async () => {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const ticksOf = async (pid: number | string, last: number) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const times = stat.replace(/.*\) /, '').split(' ').slice(11, last).map(Number);
    return times.reduce((sum, time) => sum + time, 0);
  };
  // The times of ended processes come after those of this one.
  const running = children
    .split(' ')
    .filter(Boolean)
    .map((pid) => ticksOf(pid, 13));
  const ticks = await Promise.all([ticksOf(process.pid, 15), ...running]);
  return ticks.reduce((sum, each) => sum + each, 0) * MS_OF_TICK;
};

/** Marks a concern as told. Measures until the list of work shows it, and then the next 10 seconds. */
const measureMark = async ({ ask, read, readState }: Console) => {
  const { cards } = await read<Work>('work');
  const [concern] = cards.flatMap(({ scope, concerns }) => concerns.map((each) => ({ scope, ...each })));
  const before = await readProcessorMs();
  await ask('told', { scope: concern?.scope, kind: concern?.kind, mark: 'told', version: null });
  const shown = await read<Work>('work');
  if (!JSON.stringify(shown).includes('"told"')) throw new Error('The mark is not shown.');
  const markMs = (await readProcessorMs()) - before;
  // As an open page does.
  for (let second = 0; second < 10; second += 2) {
    await readState();
    await sleep(2_000);
  }
  return { markMs, laterMs: (await readProcessorMs()) - before - markMs };
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
    const before = await readProcessorMs();
    for (let run = 0; run < runs; run += 1) await ask(pathOf(run));
    rows.push([`${name}, ms`, formatNumber(((await readProcessorMs()) - before) / runs)]);
  }
  return rows;
};

/** The service gets the newest batch of each warehouse, so the console does not read the others again. */
const makeStock = async (session: Session, { snapshots }: ReturnType<typeof makeMorning>) => {
  const { db, write, close } = await openBenchStock(session, stockFileOf(session.deployment));
  const newest = new Map<string, Snapshot>();
  for (const snapshot of snapshots) {
    write(snapshot);
    newest.set(snapshot.client, snapshot);
  }
  keepFindings(db);
  close();
  await fillTable(session.deployment.dynamodb, 'BalanceSnapshots', newest.values().flatMap(toSnapshotItems));
};

const measureHere = async (data: string, size: typeof MORNING, runs: number) => {
  process.env['WAREHOUSE_ADMIN_CACHE'] = data;
  const made = makeMorning(size, new Date());
  const { dynamodb, where, stop } = await startService(data, made.clients);
  for (const [table, items] of Object.entries(made.items)) await fillTable(dynamodb, table, items);
  const session = await openSession(where);
  await makeStock(session, made);
  const console = await openConsole(session);
  try {
    while ((await console.readState()).share < 1) await sleep(100);
    const requests = await measureRequests(console, made.inTonnes, runs);
    const mark = await measureMark(console);
    return [
      ...requests,
      ['a mark, until the list of work shows it, ms', formatNumber(mark.markMs)],
      ['the 10 s after that, ms', formatNumber(mark.laterMs)],
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
    return numbersTable(['', `${size.warehouses} × ${formatNumber(size.balances)} balances`], rows);
  } finally {
    rmSync(data, { recursive: true });
  }
};
