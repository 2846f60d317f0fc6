import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type StockService, startStock } from '../../admin/console/processes/start-stock.ts';
import { startConsole as startServer } from '../../admin/console/server/start-console.ts';
import type { TableName } from '../../shared/tables.ts';
import { testSession } from '../admin/console/test-console.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { chromiumOptions } from './tools.ts';

type Options = Pick<BrowserContextOptions, 'locale' | 'timezoneId' | 'viewport'> & {
  /** Console messages that the test causes, such as those of requests that fail. */
  expected?: RegExp;
};

/** Waits for a result, however slow the machine is. */
export const expectSoon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 100 });

/** Starts a browser, and a local run with the demo and its console, for the tests of a file. */
export const startConsole = () => {
  const data = temporaryFolder();
  let browser: Browser;
  let run: LocalRun;
  let server: Awaited<ReturnType<typeof startServer>>;
  let stock: StockService;

  beforeAll(async () => {
    [browser, run] = await Promise.all([chromium.launch(chromiumOptions), startLocal({ data, demo: true })]);
    const session = await testSession(data);
    stock = startStock(session, { cache: false });
    server = await startServer(session, { port: 0, stock });
  });
  afterAll(async () => {
    await Promise.all([browser.close(), server.stop()]);
    await run.stop();
  });

  return {
    /** Opens a page in a context of its own. The test fails on an error, and on a console message, such as one about a foreign request. */
    open: async (hash: string, { expected, ...media }: Options = {}) => {
      const usual = { timezoneId: 'Europe/Berlin', locale: 'de-DE', viewport: LAPTOP };
      const context = await browser.newContext({ ...usual, ...media });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await printPage(page);
        await context.close();
        expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
      });
      await page.goto(`${server.printedLink}${hash}`);
      await page.locator('footer').waitFor();
      await page.getByText('Reading…').first().waitFor({ state: 'detached' });
      return page;
    },
    /** Puts an item into a table, as a person does in the AWS console. */
    put: (table: TableName, item: Record<string, unknown>) => new TableReader(run.outputs()).put(table, item),
    /** Sends a batch of the client `warehouse`. An open page soon shows it, or that it was refused. */
    sendBatch: async (entries: readonly object[], status = 200) => {
      const usual = { StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };
      const MaterialCodes = entries.map((entry) => ({ ...usual, ...entry }));
      expect((await run.post('material-stock-balance', { MaterialCodes })).status).toBe(status);
      stock.readAtNextRequest();
    },
  };
};

/** Says what a page shows when its test fails. */
const printPage = async (page: Page) => {
  const shown = await page.locator('body').ariaSnapshot().catch(String);
  process.stderr.write(`The page ${hashOf(page)} shows:\n${shown}\n`);
};

/** Waits until an element has exactly this text, or one that matches. */
export const expectText = (element: Locator, expected: string | RegExp) => {
  const text = expectSoon(() => element.innerText());
  return typeof expected === 'string' ? text.toBe(expected) : text.toMatch(expected);
};

/** Presses a button with the keyboard. */
export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).press('Enter');

/** Lets a person choose a file. A browser without a window has no dialog for it, but the same handles. */
export const pickFile = async (page: Page, text: string) => {
  await page.evaluate(async (text) => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('fixed.csv', { create: true });
    const writable = await handle.createWritable();
    await writable.write(text);
    await writable.close();
    Object.assign(window, { showOpenFilePicker: async () => [handle] });
  }, text);
};

/** Whether the browser would ask before it leaves the page. */
export const isAskedToStay = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

export const rows = (page: Page) => page.locator('tr.entry');
/** How many rows the whole table has, in words. */
export const counted = (page: Page) => page.locator('.stock').getByRole('status');
export const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);
export const expectHash = (page: Page, expected: string | RegExp) => {
  const hash = expectSoon(() => hashOf(page));
  return typeof expected === 'string' ? hash.toBe(expected) : hash.toMatch(expected);
};

/** Gives the window the focus three times. Each time, the page reads the state of the stock. By the third response, it has drawn the first one. */
export const readState = async (page: Page) => {
  for (const _ of [1, 2, 3]) {
    const read = page.waitForResponse(/api.state/);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await read;
  }
};

/** Changes the state of the stock that the page reads. */
export const changeState = async (page: Page, changesOf: () => object) => {
  const state = await page.evaluate(async () => (await fetch('api/state')).json());
  await page.route(/api.state/, (route) => route.fulfill({ json: { ...state, ...changesOf() } }));
};

/** Waits until no dialog is left. A closed one has no role any more, but for a moment the label of the button that opens it. */
export const dialogIsGone = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });

/** Expects a number of rows, without their buttons, when the button of a table prints. */
export const expectPrinted = async (page: Page, count: number) => {
  await page.evaluate(
    `print = () => { printed = document.querySelectorAll('tr.entry:not(:has(button))').length; }; printed = 0`,
  );
  await page.getByRole('button', { name: 'Print these rows' }).click();
  await expectSoon(() => page.evaluate('printed')).toBe(count);
};

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Looks at 30 rows of a table. The policy of the page does not hold for a script of the debugger. */
const runAxe = `window.axe ?? eval(${JSON.stringify(axe)});
  axe.run({ exclude: ['.entry:nth-child(n+31)'] }, { resultTypes: ['violations'] })`;

const LAPTOP = { width: 1_280, height: 900 };

/** Expects no violation of axe, and no scrolling to the side, in both colour schemes, on a phone and on a laptop. */
export const expectAccessible = async (page: Page) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of [{ width: 360, height: 740 }, LAPTOP]) {
      await page.setViewportSize(size);
      const { violations } = await page.evaluate<AxeResults>(runAxe);
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    }
  }
};
