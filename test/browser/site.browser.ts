import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from '../support/run-app.ts';
import { violationsOf, widthOf } from './open-console.ts';
import { complaintsOf } from './open-page.ts';
import { chromiumOptions } from './tools.ts';

const SITE = join(projectFolder, 'site');
/** A folder as on GitHub Pages, where a site is below the name of its repository. */
const BASE = '/repository/';
/** Mermaid draws an error as a diagram of its own kind. */
const DRAWN = 'svg[aria-roledescription]:not([aria-roledescription=error])';
const PHONE = { width: 360, height: 800 };

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const readPath = (path: string) => {
  try {
    return path.startsWith(BASE) ? readFileSync(join(SITE, path.slice(BASE.length))) : undefined;
  } catch {
    return undefined;
  }
};

const server = createServer(({ url = '' }, response) => {
  const { pathname } = new URL(url, 'http://site');
  const file = readPath(decodeURI(pathname));
  response.writeHead(file ? 200 : 404, { 'Content-Type': types[extname(pathname)] ?? 'text/plain' });
  response.end(file);
});

let address = '';
let browser: Browser;

beforeAll(async () => {
  execFileSync(process.execPath, ['docs/site/build.ts'], { cwd: projectFolder, stdio: 'inherit' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  address = `http://127.0.0.1:${port}${BASE}`;
  browser = await chromium.launch(chromiumOptions);
});
afterAll(async () => {
  await browser?.close();
  server.close();
});

type Media = { width?: number; height?: number; colorScheme?: 'light' | 'dark' };

/** Opens a page of the site. The test fails on errors in the console and on requests to other servers. */
const visit = async <Result>(
  file: string,
  look: (page: Page) => Promise<Result>,
  { width = 1_280, height = 900, colorScheme = 'light' }: Media = {},
) => {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const complaints = complaintsOf(page, (url) => url.startsWith(address));
  try {
    await page.goto(`${address}${file}`);
    const result = await look(page);
    expect(complaints.filter((complaint) => !complaint.startsWith('info: @scalar'))).toEqual([]);
    return result;
  } finally {
    await page.close();
  }
};

/** The links of a page, and the anchors that it has. */
const linksAndAnchors = (page: Page) =>
  page.evaluate(() => ({
    links: [...document.querySelectorAll('a')].map(({ href }) => href),
    anchors: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  }));

test('the pages have no broken link, and load nothing from another server', async () => {
  const files = globSync('**/*.html', { cwd: SITE }).filter((file) => !/^(api|report)\.html$/.test(file));
  expect(files).toContain('index.html');
  const anchorsOf = new Map<string, string[]>();
  const found: { file: string; url: URL }[] = [];
  await visit('index.html', async (page) => {
    for (const file of files) {
      await page.goto(`${address}${file}`);
      const { links, anchors } = await linksAndAnchors(page);
      anchorsOf.set(`${BASE}${file}`, anchors);
      found.push(...links.map((link) => ({ file, url: new URL(link) })));
    }
  });
  const own = found.filter(({ url }) => url.href.startsWith(address));
  const others = found.filter(({ url }) => !url.href.startsWith(address));
  const isBroken = ({ pathname, hash }: URL) =>
    hash === ''
      ? readPath(decodeURI(pathname)) === undefined
      : !anchorsOf.get(pathname)?.includes(decodeURIComponent(hash.slice(1)));
  expect(own.filter(({ url }) => isBroken(url)).map(({ file, url }) => [file, url.href])).toEqual([]);
  expect(others.filter(({ url }) => url.protocol !== 'https:')).toEqual([]);
});

test('every diagram is drawn', async () => {
  const files = globSync('**/*.html', { cwd: SITE }).filter((file) =>
    readFileSync(join(SITE, file), 'utf8').includes('<pre class="mermaid"'),
  );
  expect(files).toContain('docs/restore.html');
  for (const file of files) {
    await visit(file, async (page) => {
      const diagrams = page.locator('.mermaid');
      for (let index = 0; index < (await diagrams.count()); index += 1)
        await diagrams.nth(index).locator(DRAWN).waitFor();
    });
  }
});

test('the page of the API shows every operation of the document', async () => {
  const { paths }: { paths: Record<string, Record<string, { summary: string }>> } = JSON.parse(
    readFileSync(join(projectFolder, 'docs/openapi.json'), 'utf8'),
  );
  const summaries = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ summary }) => summary ?? []),
  );
  expect(summaries).not.toEqual([]);
  await visit('api.html', async (page) => {
    for (const summary of summaries) await page.getByRole('link', { name: summary }).first().waitFor();
    expect(await page.getByRole('button', { name: /test request|send/i }).count()).toBe(0);
  });
});

test('the report shows the warehouses of the demo', () =>
  visit('report.html', (page) => page.getByRole('link', { name: 'north' }).first().waitFor()));

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages have no violation of axe and fit a phone in ${colorScheme} colours`, async () => {
    for (const file of ['index.html', 'docs/integration.html', 'docs/contract.html']) {
      await visit(
        file,
        async (page) => {
          expect(await violationsOf(page)).toEqual([]);
          expect(await widthOf(page)).toBe(PHONE.width);
        },
        { ...PHONE, colorScheme },
      );
    }
  });
}
