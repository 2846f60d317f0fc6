import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { freezePage } from '../../admin/console/freeze-page.ts';
import type { StockData } from '../../admin/console/stock/stock-data.ts';
import { sample } from './sample.ts';
import { chromiumOptions } from './tools.ts';

type Options = {
  data?: StockData;
  hash?: string;
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
};

/** Starts a browser for the tests of a file. */
export const startBrowser = () => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-browser-'));
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...chromiumOptions,
      offline: true,
      timezoneId: 'Europe/Berlin',
    });
  });
  afterAll(async () => {
    await context?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a report from its file. The test fails on a console message or a request for anything else. */
  return async (options: Options = {}) => {
    const { data = sample(), hash = '', width = 1_280, height = 900, ...media } = options;
    const file = join(folder, 'report.html');
    writeFileSync(file, [...freezePage(data)].join(''));
    const address = pathToFileURL(file).href;
    if (!context) throw new Error('The browser has not started.');
    const page = await context.newPage();
    const complaints = complaintsOf(page, (url) => url.split('#')[0] === address);
    onTestFinished(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light', ...media });
    await page.goto(`${address}${hash}`);
    await page.getByText('Reading…').waitFor({ state: 'detached' });
    return page;
  };
};

/** Collects console messages, errors, dialogs and requests for other addresses. */
export const complaintsOf = (page: Page, isOwn: (url: string) => boolean) => {
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
