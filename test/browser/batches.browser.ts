import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, hashOf, readAgain, rows, startConsole } from './open-page.ts';

const { open, sendBatch } = startConsole();

const textsOf = async (page: Page) =>
  (await rows(page).allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()));

test('a batch shows its entries, can be searched, and is compared with one of the same or of all warehouses, in any order, the older one as before', async () => {
  const changed = { MaterialCode: 'A', StockBalance: 1_000.25 };
  await sendBatch([changed, ...['gone', 'same', 'unit'].map((MaterialCode) => ({ MaterialCode }))]);
  await sendBatch([
    { ...changed, StockBalance: 999.5, PurchaseOrders: ['OT1234567'] },
    { MaterialCode: 'new', StockBalance: 2 },
    { MaterialCode: 'same' },
    { MaterialCode: 'unit', StockBalanceUnit: 't' },
  ]);
  const page = await open('#/batches/warehouse');
  await readAgain(page);
  await eventually(async () => (await textsOf(page))[0]?.slice(1)).toEqual(['warehouse', '4', '0', 'loaded']);
  await rows(page).first().getByRole('link').first().click();
  await page.getByText(/^Batch \d{4}-.*, request /).waitFor();
  await page.getByLabel('Search').fill('SAME');
  await eventually(() => textsOf(page)).toEqual([['same', '1', 'kg', '']]);
  expect(await page.getByRole('link', { name: 'same' }).getAttribute('href')).toBe('#/materials/same');
  await page.getByRole('link', { name: 'Compare with another' }).click();
  await page.getByText(/^Choose the batch to compare with warehouse, /).waitFor();
  expect(await rows(page).filter({ hasNotText: 'warehouse' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Received' }).click({ clickCount: 2 });
  await page.getByRole('combobox', { name: 'Warehouse' }).press('Home');
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\?one=/);
  const halved = rows(page).filter({ hasText: 'east', has: page.locator('.below') });
  await eventually(() => halved.innerText()).toMatch(/east\s+44\s+−66\s+loaded$/);
  expect(await page.locator('select:focus').count()).toBe(1);
  await rows(page).nth(1).getByRole('link', { name: 'warehouse' }).click();
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\/warehouse\?one=warehouse.*&sort=-ReceivedAt$/);
  await rows(page).nth(1).getByRole('link').first().click();
  await eventually(() => page.locator('h2').allInnerTexts()).toEqual(
    ['Before', 'After'].map((side) => expect.stringMatching(`${side}: warehouse, [-\\d]+ (\\d\\d:?){3} `)),
  );
  await eventually(() => textsOf(page)).toEqual([
    ['changed', 'A', '1\u202f000,25', '999,5', '−0,75', 'kg', 'kg', '', 'OT1234567'],
    ['gone', 'gone', '1', '', '', 'kg', '', '', ''],
    ['added', 'new', '', '2', '', '', 'kg', '', ''],
    ['changed', 'unit', '1', '1', '', 'kg', 't', '', ''],
  ]);
  const gone = await open('#/batches/south/2020-01-01T00:00:00.000Z-x');
  await gone.getByText('There is no such batch.').waitFor();
});
