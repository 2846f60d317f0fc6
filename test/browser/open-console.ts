import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startConsole as startServer } from '../../admin/console/server/start-console.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { demoAssembly } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { complaintsOf } from './open-page.ts';
import { chromiumOptions } from './tools.ts';

type Options = Pick<BrowserContextOptions, 'colorScheme' | 'timezoneId' | 'reducedMotion'> & {
  width?: number;
  height?: number;
  /** Console messages that the test causes, such as those of a server that it has stopped. */
  expected?: RegExp;
  /** Runs before the page is loaded, for example to change an answer with `page.route`. */
  prepare?: (page: Page) => Promise<void>;
};

/** Starts a local run with the demo, its console and a browser for the tests of a file. */
export const startConsole = () => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-console-'));
  let run: LocalRun | undefined;
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  let browser: Browser | undefined;
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
    run = await startLocal({ assemblyFolder: await demoAssembly(), data, demo: true });
    await start();
    browser = await chromium.launch(chromiumOptions);
  });
  afterAll(async () => {
    await browser?.close();
    await stop();
    await run?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  return {
    /** Opens the console in a browser context of its own. The test fails on console messages and foreign requests. */
    open: async (hash = '', { width = 1_280, height = 900, expected, prepare, ...media }: Options = {}) => {
      if (!browser) throw new Error('The browser has not started.');
      const viewport = { width, height };
      const context = await browser.newContext({ viewport, timezoneId: 'Europe/Berlin', ...media });
      const page = await context.newPage();
      const complaints = complaintsOf(page, (url) => url.startsWith(address));
      onTestFinished(async () => {
        await context.close();
        expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
      });
      await prepare?.(page);
      await page.goto(`${server?.printedAddress}${hash}`);
      await page.getByText('Reading…').waitFor({ state: 'detached' });
      return page;
    },
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

/** What axe finds wrong, with the elements. The page's policy does not hold for a script of the debugger. */
export const violationsOf = async (page: Page) => {
  const { violations } = await page.evaluate<AxeResults>(`${axe};axe.run(document)`);
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
};

/** How wide the page is, which is wider than the window if it scrolls sideways. */
export const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
