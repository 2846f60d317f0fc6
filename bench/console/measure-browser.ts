import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '../../test/browser/tools.ts';
import { formatNumber, medianOf, numbersTable } from '../markdown.ts';
import { startFilledService } from './fill-service.ts';
import { codeOf, type Size } from './make-batches.ts';
import { startWatched } from './start-watched.ts';

/** The console of an earlier version needs 5 GB for this size. */
const SIZES: readonly Size[] = [{ warehouses: 30, balances: 40_000, batches: 2 }];
const QUICK_SIZES: readonly Size[] = [{ warehouses: 3, balances: 400, batches: 3 }];
const RUNS = 3;
const GIVEN_UP_AFTER_MS = 300_000;

/** Starts the console of the version in `folder`. The console reads the service into an empty cache. */
const startConsole = async (folder: string, data: string, cache: string) => {
  const main = ['admin/cli/main.ts', 'admin/main.ts'].map((path) => join(folder, path)).find(existsSync);
  if (main === undefined) throw new Error(`${folder} has no console.`);
  const { child, ...console } = startWatched(
    main,
    ['console', '--local', '--data', data, '--no-open', '--port', '0'],
    { cwd: folder, env: { WAREHOUSE_ADMIN_CACHE: cache }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  let output = '';
  for await (const chunk of child.stderr ?? []) {
    output += chunk;
    const [url] = /http:\S+/.exec(output) ?? [];
    if (url !== undefined) return { ...console, url };
  }
  throw new Error(`The console of ${folder} has ended: ${output}`);
};

/** Opens the console's page, with functions that read the sizes of its responses and its memory. */
const openPage = async (browser: Browser, url: string) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(GIVEN_UP_AFTER_MS);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await page.goto(`${url}#/materials`);
  return {
    page,
    /** The size of each response with data. */
    readSizes: () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .flatMap((entry) =>
            entry instanceof PerformanceResourceTiming && entry.initiatorType === 'fetch'
              ? [entry.encodedBodySize]
              : [],
          ),
      ),
    memory: async () => ({ heapMb: await heapOf(devtools), privateMb: await privateMemoryOf(browser) }),
  };
};

const heapOf = async (devtools: CDPSession) => {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
};

/** The memory that the process of the page shares with no other process. */
const privateMemoryOf = async (browser: Browser) => {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = renderers.map(({ id }) => {
    const lines = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+: +(\d+) kB/gm);
    return [...lines].reduce((sum, [, size]) => sum + Number(size), 0);
  });
  return (Math.max(...sizes) * 1_024) / 1e6;
};

/** Waits until a table says that it has `count` rows. */
const untilCounted = (page: Page, count: number) =>
  page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('p[role=status]')].some(
        ({ textContent }) => /^[\d\s,]+/.exec(textContent)?.[0].replaceAll(/\D/g, '') === String(count),
      ) && document.querySelector('[aria-busy=true]') === null,
    count,
  );

/** A state that stays so long is final. The check at the end of a read needs less time. */
const SETTLED_MS = 15_000;

/** Waits until all batches are read and checked, and returns the time of the last change. */
const untilSettled = async (page: Page, batches: number) => {
  let version: unknown;
  for (let changedAt = performance.now(); ; await sleep(200)) {
    const state = await page.evaluate(async () => {
      const response = await fetch('api/state');
      return response.ok ? response.json() : undefined;
    });
    // An earlier console has no such state, and shows no row before all batches are read.
    if (!state) return changedAt;
    // An earlier console calls the unread batches `missing`.
    const isRead = (state.unread ?? state.missing) === 0 && state.batches === batches;
    if (!isRead || state.version !== version) changedAt = performance.now();
    version = state.version;
    if (performance.now() - changedAt > SETTLED_MS) return changedAt;
  }
};

const msOf = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

const search = async (page: Page, text: string, count: number) => {
  await page.getByLabel('Search', { exact: true }).fill(text);
  await untilCounted(page, count);
};

const sort = async (page: Page, title: string) => {
  await page.getByRole('button', { name: title, exact: true }).click();
  await page.waitForFunction(
    (title) =>
      document.querySelector('th[aria-sort]')?.textContent === title &&
      document.querySelector('[aria-busy=true]') === null,
    title,
  );
};

const open = async (page: Page, title: string) => {
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await page.getByText('Reading…').first().waitFor({ state: 'detached' });
};

type Service = Awaited<ReturnType<typeof startFilledService>>;
type Measured = Record<string, number>;
type Run = { service: Service; folder: string; data: string; size: Size };

/** What one start of a console and one visit of its pages take. */
const measureRun = async ({ service, folder, data, size }: Run): Promise<Measured> => {
  const { warehouses, balances } = size;
  const cache = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const browser = await chromium.launch(chromiumOptions);
  const startedAt = performance.now();
  const secondsFromStart = () => (performance.now() - startedAt) / 1_000;
  const console = await startConsole(folder, data, cache);
  try {
    // Leaves out the start of the console.
    await console.readHealth();
    const { page, readSizes, memory } = await openPage(browser, console.url);
    await page.locator('tr.entry').first().waitFor();
    const firstRows = secondsFromStart();
    await untilCounted(page, warehouses * balances);
    const allRows = secondsFromStart();
    const everything = ((await untilSettled(page, service.countBatches())) - startedAt) / 1_000;
    const reading = await console.readHealth();

    const reloaded = await msOf(async () => {
      await page.reload();
      await untilCounted(page, warehouses * balances);
    });
    const bytes = await readSizes();
    const sorts: number[] = [];
    for (const title of ['Balance', 'Unit', 'Warehouse']) sorts.push(await msOf(() => sort(page, title)));
    const searches: number[] = [];
    for (const code of [76, 77, 78].map(codeOf))
      searches.push(await msOf(() => search(page, code, warehouses)));
    const memories = [await memory()];
    const overview = await msOf(() => open(page, 'Overview'));
    memories.push(await memory());
    await open(page, 'Batches');
    await page.locator('tr.entry a').first().click();
    await page.locator('tr.entry').nth(20).waitFor();
    memories.push(await memory());
    await open(page, 'Materials');
    memories.push(await memory());

    await console.readHealth();
    await search(page, codeOf(0), warehouses);
    const sent = await service.sendBatch();
    const shown = await msOf(() => page.getByText(String(sent)).first().waitFor());
    const receiving = await console.readHealth();
    return {
      'first rows, s': firstRows,
      'all rows, s': allRows,
      'everything read, s': everything,
      'block of the console while it reads, ms': reading.blockMs,
      'memory of the console while it reads, MB': reading.peakMb,
      'the page again, ms': reloaded,
      'all that it loads, KB': bytes.reduce((sum, size) => sum + size, 0) / 1_000,
      'its largest response, KB': Math.max(...bytes) / 1_000,
      'a sort, ms': medianOf(sorts),
      'a search for a code, ms': medianOf(searches),
      'the overview, ms': overview,
      'block of the console by a new batch, ms': receiving.blockMs,
      'a new batch shown after, s': shown / 1_000,
      'memory of the console, MB': receiving.rssMb,
      'heap of the page, MB': Math.max(...memories.map(({ heapMb }) => heapMb)),
      'private memory of its process, MB': Math.max(...memories.map(({ privateMb }) => privateMb)),
    };
  } finally {
    await browser.close();
    await console.stop();
    rmSync(cache, { recursive: true });
  }
};

/** The versions of the console take turns. */
const measureSize = async (
  folders: readonly string[],
  size: Size,
  runCount: number,
  say: (line: string) => void,
) => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  say(`a service with ${size.warehouses} × ${size.balances} balances`);
  const service = await startFilledService(data, size);
  const measured = folders.map((folder) => ({ folder, runs: [] as Measured[] }));
  for (let run = 0; run < runCount; run += 1)
    for (const { folder, runs } of measured) {
      say(`run ${run + 1} of ${folder}`);
      try {
        runs.push(await measureRun({ service, folder, data, size }));
      } catch (error) {
        say(`The run failed: ${String(error)}`);
      }
    }
  await service.stop();
  rmSync(data, { recursive: true });
  return measured.map(({ runs }) => runs);
};

const cellOf = (name: string, runs: readonly Measured[]) =>
  runs.length === 0
    ? '–'
    : formatNumber(medianOf(runs.map((run) => run[name] ?? Number.NaN)), name.endsWith(' s') ? 1 : 0);

/** A table of what the page takes. `earlier` is the folder of an earlier version, which is measured, too. */
export const measureBrowser = async (
  isQuick: boolean,
  earlier: string | undefined,
  say: (line: string) => void,
) => {
  const own = fileURLToPath(new URL('../..', import.meta.url));
  const folders = [...(earlier === undefined ? [] : [resolve(earlier)]), own];
  const heads: string[] = [];
  const columns: Measured[][] = [];
  for (const size of isQuick ? QUICK_SIZES : SIZES) {
    const text = `${size.warehouses} × ${formatNumber(size.balances)}`;
    heads.push(...folders.map((folder) => (folder === own ? text : `${text}, before`)));
    columns.push(...(await measureSize(folders, size, isQuick ? 1 : RUNS, say)));
  }
  const names = Object.keys(columns.flat()[0] ?? {});
  return numbersTable(
    ['', ...heads],
    names.map((name) => [name, ...columns.map((runs) => cellOf(name, runs))]),
  );
};
