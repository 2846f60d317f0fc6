import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { ReportData } from '../../admin/report/data.ts';
import { reportHtml } from '../../admin/report/html.ts';
import { CHROMIUM } from './tools.ts';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Asked = {
  hash?: string;
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
};

/** A browser for the tests of a file. */
export const inBrowser = () => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-browser-'));
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      headless: true,
      args: QUIET,
      offline: true,
    });
  });
  afterAll(async () => {
    await context?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a report from its file. A request for anything else, or a word on the console, fails the test. */
  return async (data: ReportData, { hash = '', width = 1_280, height = 900, ...media }: Asked = {}) => {
    const file = join(folder, 'report.html');
    writeFileSync(file, [...reportHtml(data)].join(''));
    const address = pathToFileURL(file).href;
    if (!context) throw new Error('The browser has not started.');
    const page = await context.newPage();
    const said = listenTo(page, address);
    onTestFinished(async () => {
      await page.close();
      expect(said).toEqual([]);
    });
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light', ...media });
    await page.goto(`${address}${hash}`);
    return page;
  };
};

const listenTo = (page: Page, address: string) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => said.push(message));
  page.on('dialog', (dialog) => {
    said.push(dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && url.split('#')[0] !== address) said.push(`asked for ${url}`);
  });
  return said;
};

/** What the rows of a table show, by the place of the cell. */
export const columnOf = (page: Page, table: string, column: number) =>
  page.locator(`#${table} tbody tr.entry > :nth-child(${column})`).allInnerTexts();
