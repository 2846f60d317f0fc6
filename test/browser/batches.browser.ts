import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { download, eventually, hashOf, readAgain, rows, startConsole } from './open-page.ts';

const { open, sendBatch } = startConsole();

const textsOf = async (page: Page) =>
  (await rows(page).allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()));

/** The newest batch of a warehouse. */
const openBatch = async (client: string) => {
  const page = await open(`#/batches/${client}`);
  await rows(page).first().getByRole('link').first().click();
  return page;
};

test('the list of batches marks the batch that halved', async () => {
  const page = await open('#/batches');
  const halved = rows(page).filter({ has: page.locator('.below') });
  await eventually(() => halved.innerText()).toMatch(/east\s+44\s+−66\s+loaded$/);
});

test('the list of batches offers batches of all warehouses, or of one, for a comparison', async () => {
  const page = await openBatch('south');
  await page.getByRole('link', { name: 'Compare with another' }).click();
  await page.getByText(/^Choose the batch to compare with south, /).waitFor();
  await page.getByRole('combobox', { name: 'Warehouse' }).selectOption('north');
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\/north\?one=south\//);
  await eventually(() => rows(page).filter({ hasNotText: 'north' }).count()).toBe(0);
  await rows(page).first().getByRole('link').first().click();
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\/compare\?one=south\/.*&other=north\//);
});

test('one batch shows its entries, can be searched, and its rows in sight are downloaded', async () => {
  const page = await openBatch('south');
  await page.getByText(/^Batch \d{4}-.*, request /).waitFor();
  await page.getByLabel('Search').fill('kabel-8/003');
  await eventually(() => hashOf(page)).toMatch(/\?search=kabel-8\/003$/);
  await eventually(() => rows(page).count()).toBe(1);
  const [titles, row, ...more] = await download(page, 'CSV with 0,5');
  expect(titles).toBe('\uFEFFMaterial;Balance;Unit;Orders');
  expect(row).toMatch(/^Kabel-8\/003;"?\d+(,\d+)?"?;/);
  expect(more).toEqual([]);
  await page.getByRole('link', { name: 'Kabel-8/003' }).click();
  await eventually(() => hashOf(page)).toBe('#/materials/Kabel-8/003');
  const gone = await open('#/batches/south/2020-01-01T00:00:00.000Z-x');
  await gone.getByText('There is no such batch.').waitFor();
});

test('a comparison shows the older batch as before, the differences and their kinds, however it was chosen', async () => {
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
  await page.getByRole('link', { name: 'Compare with another' }).click();
  await page.getByText('Choose the batch').waitFor();
  await rows(page).nth(1).getByRole('link').first().click();
  await eventually(() => page.locator('h2').allInnerTexts()).toEqual(
    ['Before', 'After'].map((side) =>
      expect.stringMatching(`${side}: warehouse, [-\\d]+ \\d\\d:\\d\\d:\\d\\d`),
    ),
  );
  await eventually(() => textsOf(page)).toEqual([
    ['changed', 'A', '1\u202f000,25', '999,5', '−0,75', 'kg', 'kg', '', 'OT1234567'],
    ['gone', 'gone', '1', '', '', 'kg', '', '', ''],
    ['added', 'new', '', '2', '', '', 'kg', '', ''],
    ['changed', 'unit', '1', '1', '', 'kg', 't', '', ''],
  ]);
});
