import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectHash, expectSoon, press, startConsole } from './open-page.ts';

const { open } = startConsole();

const rowsOf = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).locator('tr.entry').allInnerTexts();
const ROWS = 'Both moments by material and warehouse';

test('two moments are compared for chosen codes and warehouses', async () => {
  const page = await open('#/compare');
  await page.getByLabel('Search').waitFor({ state: 'detached' });
  await press(page, 'Compare');
  await expectHash(page, /^#\/compare\?before=\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
  await page.getByLabel('Search').fill('Rohr-4/007, Kabel-8/001');
  await expectSoon(async () => (await rowsOf(page, ROWS)).length).toBe(7);
  await press(page, 'south');
  await expectSoon(async () => (await rowsOf(page, ROWS)).map((row) => row.split(/\s/)[0])).toEqual([
    'Kabel-8/001',
    'Rohr-4/007',
  ]);
  await expectAccessible(page);
});

test('a comparison is its address, also on a phone', async () => {
  const before = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const address = `#/compare?before=${before}&clients=south,north&show=materials`;
  const page = await open(address, { locale: 'ru-RU', viewport: { width: 360, height: 740 } });
  await press(page, 'Only differences');
  await expectHash(page, `${address}&differing=yes`);
  expect(await page.getByRole('button', { name: 'north' }).getAttribute('aria-pressed')).toBe('true');
  await expectSoon(async () => (await rowsOf(page, 'Totals by unit')).length).toBeGreaterThan(0);
  await expectAccessible(page);
  await press(page, 'north');
  await expectHash(page, /&clients=south&show=materials&differing=yes$/);
});
