import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../shared/time.ts';
import { startConsole } from './open-page.ts';

const { open, stop, restart } = startConsole();

/** The page reads the stock again when it comes to the front. */
const refresh = async (page: Page) => {
  const [request] = await Promise.all([
    page.waitForRequest(/api\/stock/),
    page.evaluate(() => dispatchEvent(new Event('focus'))),
  ]);
  await request.response();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
};

const navigation = (page: Page) => page.getByRole('navigation');

const activeText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('the overview shows the silent warehouse first, and leads to its batches and findings', async () => {
  const page = await open('#/overview');
  const tiles = page.locator('.tile');
  expect(await page.locator('.tile h3 a').allInnerTexts()).toEqual(['north', 'south', 'east', 'warehouse']);
  expect(await tiles.first().innerText()).toContain('Late');
  expect(await tiles.first().innerText()).toMatch(/\d+ changes, last: \d{4}-\d\d-\d\d \d\d:\d\d/);
  expect(await tiles.last().innerText()).toContain('On time');
  expect(await tiles.nth(2).innerText()).toMatch(/\d+ fewer/);
  expect(await page.locator('.figures .bad').allInnerTexts()).toEqual([
    expect.stringMatching(/^1\s+of 4 warehouses late/),
    expect.stringContaining('errors'),
  ]);
  await tiles.nth(2).getByRole('link', { name: 'error' }).click();
  expect(await page.locator('tr.entry').first().innerText()).toContain('Halved snapshot');
  await page.goBack();
  await tiles.first().getByRole('link', { name: 'north' }).click();
  expect(new URL(page.url()).hash).toBe('#/batches/north');
});

test('findings are filtered by kind and words, and link to their subjects', async () => {
  const page = await open('#/findings?kind=unit-differs');
  const rows = page.locator('tr.entry');
  const chip = page.getByRole('button', { name: 'Unit differs' });
  expect(await chip.getAttribute('aria-pressed')).toBe('true');
  expect(await rows.first().innerText()).toContain('Unit differs.');
  await chip.click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/findings');
  expect(await rows.first().innerText()).toContain('error');
  await page.getByLabel('Search').fill('halved east');
  expect(await page.getByRole('status').first().innerText()).toMatch(/^1 of \d+ findings$/);
  await rows.getByRole('link', { name: 'Batch of' }).click();
  expect(new URL(page.url()).hash).toMatch(/^#\/batches\/east\/\d{4}-/);
});

test('the keyboard reaches every page, and a refresh moves nothing', async () => {
  const page = await open('#/overview', { height: 500 });
  await page.keyboard.press('Tab');
  expect(await activeText(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await activeText(page)).toBe('Overview');
  await navigation(page).getByRole('link', { name: 'Findings' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Findings' }).waitFor();
  expect(await page.title()).toBe('Findings · Warehouse console');
  await page.keyboard.press('Tab');
  await page.keyboard.type('unit');
  await page.locator('.scroll').evaluate((box) => box.scrollTo({ top: 100 }));
  await page.evaluate(() => scrollTo({ top: 60 }));
  await refresh(page);
  expect(await page.locator('input:focus').inputValue()).toBe('unit');
  expect(await page.locator('.scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(100);
  expect(await page.evaluate(() => scrollY)).toBe(60);
});

test('every page shows that its time is not the latest, and links to the latest', async () => {
  const page = await open('#/overview');
  const showAsOf = async (time: string) => {
    await page.getByLabel('As of').fill(time);
    await page.keyboard.press('Enter');
  };
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 16);
  await showAsOf(yesterday);
  await page.getByText('not the latest').waitFor();
  expect(await page.locator('.tile', { hasText: 'north' }).innerText()).toContain('On time');
  await navigation(page).getByRole('link', { name: 'Findings' }).click();
  await page.getByText('not the latest').waitFor();
  await showAsOf('2020-01-01T12:00');
  await page.getByText('stock as of 2020-01-01 12:00').waitFor();
  await page.waitForURL(/#\/findings\?at=2020-01-01T11%3A00%3A00Z$/);
  await page.getByRole('button', { name: 'Show the latest stock' }).click();
  await page.waitForURL(/#\/findings$/);
});

test('a stopped console is reported, the data stays, and the page works again after a start', async () => {
  const page = await open('#/overview', { expected: /Failed to load resource/ });
  await stop();
  await refresh(page);
  const alert = page.getByRole('alert');
  expect(await alert.innerText()).toMatch(/does not answer/);
  expect(await page.locator('.tile').count()).toBe(4);
  await restart();
  await refresh(page);
  await alert.getByText('address that the command printed').waitFor();
  const again = await open('#/overview');
  expect(await again.locator('.tile').count()).toBe(4);
});
