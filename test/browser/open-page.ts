import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startConsole as startServer } from '../../admin/console/server/start-console.ts';
import { startStockThreads } from '../../admin/console/threads/start-stock-threads.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { chromiumOptions } from './tools.ts';

type Options = Pick<BrowserContextOptions, 'colorScheme' | 'locale' | 'viewport'> & {
  /** Console messages that the test causes, such as those of a server that it has stopped. */
  expected?: RegExp;
};

/** Waits for a result, however slow the machine is. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 100 });

/** Collects console messages, errors, dialogs and requests for other addresses. */
const complaintsOf = (page: Page, own: string) => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(own)) complaints.push(request.url());
  });
  return complaints;
};

/** Starts a browser, and a local run with the demo and its console, for the tests of a file. */
export const startConsole = () => {
  const data = temporaryFolder();
  let browser: Browser;
  let run: LocalRun;
  let server: Awaited<ReturnType<typeof startServer>>;

  const start = async (port = 0) => {
    const session = await openSession({ local: true, data, stack: '' });
    server = await startServer(session, { port, stock: startStockThreads(session, { cache: false }) });
  };
  const addressOf = () => new URL('/', server.printedLink);

  beforeAll(async () => {
    [browser, run] = await Promise.all([chromium.launch(chromiumOptions), startLocal({ data, demo: true })]);
    await start();
  });
  afterAll(async () => {
    await Promise.all([browser.close(), server.stop()]);
    await run.stop();
  });

  return {
    /** Opens a page in a context of its own. The test fails on a console message, a dialog or a foreign request. */
    open: async (hash: string, { expected, ...media }: Options = {}) => {
      const usual = { timezoneId: 'Europe/Berlin', locale: 'de-DE', viewport: { width: 1_280, height: 900 } };
      const context = await browser.newContext({ ...usual, ...media });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const complaints = complaintsOf(page, addressOf().href);
      onTestFinished(async () => {
        await context.close();
        expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
      });
      await page.goto(`${server.printedLink}${hash}`);
      await page.locator('footer').waitFor();
      await page.getByText('Reading…').first().waitFor({ state: 'detached' });
      return page;
    },
    /** The run that the console shows. */
    run: () => run,
    /** Sends a batch of the client `warehouse`. */
    sendBatch: async (entries: readonly object[]) => {
      const usual = { StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };
      const MaterialCodes = entries.map((entry) => ({ ...usual, ...entry }));
      expect((await run.post('material-stock-balance', { MaterialCodes })).status).toBe(200);
    },
    /** Stops the console. It starts again at the same address. */
    stop: () => server.stop(),
    restart: () => start(Number(addressOf().port)),
  };
};

/** Presses a button with the keyboard. */
export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).press('Enter');

/** Whether the browser would ask before it leaves the page. */
export const isAskedToStay = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

export const rows = (page: Page) => page.locator('tr.entry');
export const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

/** The lines of a file that a button downloads. */
export const download = async (page: Page, button: string) => {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
};

/** Expects a number of rows, without their buttons, when the button of a table prints. */
export const expectPrinted = async (page: Page, count: number) => {
  await page.evaluate(
    `print = () => { printed = document.querySelectorAll('tr.entry:not(:has(button))').length; }; printed = 0`,
  );
  await page.getByRole('button', { name: 'Print these rows' }).click();
  await eventually(() => page.evaluate('printed')).toBe(count);
};

/** The console reads the service again after a request that could change something, and the page asks for it often. */
export const readAgain = (page: Page) =>
  page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch('api/lists/codes/review', { method: 'POST', headers, body: '[]' });
    if (status !== 200) throw new Error(`The console responded with ${status}.`);
    setInterval(() => dispatchEvent(new Event('focus')), 200);
  });

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Expects no violation of axe, in 30 rows of a table, and no scrolling to the side. The policy does not hold for a script of the debugger. */
export const expectAccessible = async (page: Page) => {
  const run = `axe.run({ exclude: ['.entry:nth-child(n+31)'] }, { resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<AxeResults>(`window.axe ?? eval(${JSON.stringify(axe)});${run}`);
  expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
};
