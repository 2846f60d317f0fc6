/// <reference lib="dom" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { freezePage } from '../admin/console/freeze-page.ts';
import { bundlePage } from '../admin/console/page-bundle.ts';
import type { StockData } from '../admin/console/stock/stock-data.ts';
import { MADE_AT, reportOf } from '../test/browser/sample.ts';
import { chromiumOptions } from '../test/browser/tools.ts';
import { count, numbersTable } from './markdown.ts';

/*
 * npm run bench:console  measures the list of materials in Chromium, and prints the table of the decision page about
 *                        the console. Other work on the machine changes the figures.
 */

const MATERIALS = 40_000;
const CLIENTS = [1, 30];
const OPENINGS = 5;
const TYPED = 'galvanized 12 m-1';
const SCROLLED_FRAMES = 60;
const POINTS = 2;

/** Each client reports each material in two snapshots with different balances. */
const stockOf = (clients: number): StockData => {
  const rows = Array.from({ length: clients * MATERIALS }, (_, row) => row);
  const pointRows = rows.flatMap((row) => Array.from({ length: POINTS }, () => row));
  const names = Array.from({ length: clients }, (_, client) => `warehouse-${client + 1}`);
  const snapshots = names.flatMap((_, client) => Array.from({ length: POINTS }, () => client));
  const materials = Array.from({ length: MATERIALS }, (_, material) => material);
  return reportOf({
    clients: names,
    silenceHours: names.map(() => 24),
    lastSnapshotAt: names.map(() => MADE_AT),
    lastChangeAt: names.map(() => null),
    historySince: names.map(() => 0),
    snapshots: {
      id: snapshots.map(String),
      client: snapshots,
      at: snapshots.map((client, index) => MADE_AT - (POINTS - (index % POINTS)) * 3_600_000 - client),
      entries: snapshots.map(() => MATERIALS),
    },
    units: ['kg', 'm', 'pcs'],
    orderLists: [
      '',
      ...materials.slice(0, 5_000).map((order) => `OT${4_500_000 + order} OT${7_654_321 + order}`),
    ],
    materials: {
      code: materials.map((material) => `M-${(material * 7_919) % MATERIALS}`),
      attributes: [{ name: 'Name', value: materials.map((material) => `Bolt M${material % 97} galvanized`) }],
    },
    series: {
      material: rows.map((row) => row % MATERIALS),
      client: rows.map((row) => Math.floor(row / MATERIALS)),
      orders: rows.map((row) => row % 5_001),
      points: rows.map(() => POINTS),
    },
    points: {
      snapshot: pointRows.map((row, index) => Math.floor(row / MATERIALS) * POINTS + (index % POINTS)),
      balance: pointRows.map((row, index) => ((row * 7_919) % 100_003) / 10 + (index % POINTS)),
      unit: pointRows.map((row) => row % 3),
    },
  });
};

/** Resolves after the next paint, because a message is handled after the frame that it was sent in. */
const installClock = () => {
  const times: number[] = [];
  const nextPaint = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage('');
      }),
    );
  const waitForRows = async () => {
    const painted = await nextPaint();
    if (document.querySelector('tr.entry')) times.push(painted);
    else await waitForRows();
  };
  void waitForRows();
  for (const type of ['input', 'click'])
    addEventListener(type, async ({ timeStamp }) => times.push((await nextPaint()) - timeStamp), true);
  Object.assign(globalThis, { times });
};

const readTimes = async (page: Page) => {
  await page.waitForFunction(() => Reflect.get(globalThis, 'times').length > 0);
  return page.evaluate<number[]>(() => Reflect.get(globalThis, 'times').splice(0));
};

const scroll = (page: Page) =>
  page.locator('.scroll').evaluate(async (box, frames) => {
    const times: number[] = [];
    let before = await new Promise<number>(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame += 1) {
      box.scrollBy({ top: 400 });
      const now = await new Promise<number>(requestAnimationFrame);
      times.push(now - before);
      before = now;
    }
    return times;
  }, SCROLLED_FRAMES);

const measure = async (browser: Browser, address: string) => {
  const first: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    const page = await openPage(browser, address);
    first.push(...(await readTimes(page)));
    await page.close();
  }
  const page = await openPage(browser, address);
  await readTimes(page);
  const scrolled = await scroll(page);
  const sorted: number[] = [];
  for (const title of ['Balance', 'Latest change', 'Changed', 'Warehouse', 'Name', 'Received']) {
    await page.getByRole('columnheader').getByRole('button', { name: title }).click();
    sorted.push(...(await readTimes(page)));
  }
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  const typed: number[] = [];
  for (const character of TYPED) {
    await page.keyboard.type(character);
    typed.push(...(await readTimes(page)));
  }
  await page.close();
  return { first, typed, sorted, scrolled };
};

const openPage = async (browser: Browser, address: string) => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.addInitScript(installClock);
  await page.goto(address);
  return page;
};

const spread = (times: readonly number[]) => {
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
    .map((time) => count(time))
    .join(' / ');
};

const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
const browser = await chromium.launch(chromiumOptions);
const rows = [];
for (const clients of CLIENTS) {
  const file = join(folder, `${clients}.html`);
  writeFileSync(file, [...freezePage(stockOf(clients))].join(''));
  const { first, typed, sorted, scrolled } = await measure(browser, `${pathToFileURL(file).href}#/materials`);
  rows.push([count(clients * MATERIALS), ...[first, typed, sorted, scrolled].map(spread)]);
}
await browser.close();
rmSync(folder, { recursive: true });
const heads = ['Rows', 'First page', 'Keystroke', 'Sort', 'Frame while scrolling'];
const { script, style } = bundlePage();
const [scriptKb, styleKb] = [script, style].map((text) => count(gzipSync(text).length / 1_000));
process.stdout.write(`${numbersTable(heads, rows)}

In ms, the median / the worst. The script has ${scriptKb} KB in gzip, the style ${styleKb} KB.
`);
