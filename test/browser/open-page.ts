import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { freezePage } from '../../admin/console/freeze-page.ts';
import { startConsole as startServer } from '../../admin/console/server/start-console.ts';
import type { StockData } from '../../admin/console/stock/stock-data.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { sample } from './sample.ts';
import { chromiumOptions } from './tools.ts';

type Options = Pick<BrowserContextOptions, 'colorScheme'> & {
  width?: number;
  height?: number;
  /** Console messages that the test causes, such as those of a server that it has stopped. */
  expected?: RegExp;
};

/** Starts a browser for the tests of a file. */
const startBrowser = () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch(chromiumOptions);
  });
  afterAll(() => browser?.close());

  /** Opens a page in a context of its own. The test fails on a console message, a dialog or a foreign request. */
  return async (
    url: string,
    isOwn: (url: string) => boolean,
    { width = 1_280, height = 900, expected, ...media }: Options,
  ) => {
    if (!browser) throw new Error('The browser has not started.');
    const viewport = { width, height };
    const context = await browser.newContext({ viewport, timezoneId: 'Europe/Berlin', ...media });
    const page = await context.newPage();
    const complaints = complaintsOf(page, isOwn);
    onTestFinished(async () => {
      await context.close();
      expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
    });
    await page.goto(url);
    await page.getByText('Reading…').waitFor({ state: 'detached' });
    return page;
  };
};

/** Collects console messages, errors, dialogs and requests for other addresses. */
const complaintsOf = (page: Page, isOwn: (url: string) => boolean) => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && !isOwn(url)) complaints.push(`request for ${url}`);
  });
  return complaints;
};

/** Opens a report from its file. */
export const startReport = () => {
  const openPage = startBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-browser-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return ({ data = sample(), hash = '', ...options }: Options & { data?: StockData; hash?: string } = {}) => {
    const file = join(folder, 'report.html');
    writeFileSync(file, [...freezePage(data)].join(''));
    const address = pathToFileURL(file).href;
    return openPage(`${address}${hash}`, (url) => url.split('#')[0] === address, options);
  };
};

/** Starts a local run with the demo and its console. */
export const startConsole = () => {
  const openPage = startBrowser();
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-console-'));
  let run: LocalRun | undefined;
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  let address = '';

  const start = async (port = 0) => {
    const session = await openSession({
      optsWithGlobals: () => ({ local: true, data, stack: '', separator: ',' }),
    });
    server = await startServer(session, { port });
    address = new URL('/', server.printedAddress).href;
  };
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };

  beforeAll(async () => {
    run = await startLocal({ data, demo: true });
    await start();
  });
  afterAll(async () => {
    await stop();
    await run?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  return {
    open: (hash: string, options: Options = {}) =>
      openPage(`${server?.printedAddress}${hash}`, (url) => url.startsWith(address), options),
    /** The run that the console shows, for example to send a batch to it. */
    run: () => {
      if (!run) throw new Error('The local run has not started.');
      return run;
    },
    /** Stops the console. It starts again at the same address. */
    stop,
    restart: () => start(Number(new URL(address).port)),
  };
};

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Expects no violation of axe and no scrolling to the side. The policy does not hold for a script of the debugger. */
export const expectAccessible = async (page: Page) => {
  const { violations } = await page.evaluate<AxeResults>(`${axe};axe.run(document)`);
  expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
};
