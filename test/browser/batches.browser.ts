import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startConsole } from './open-page.ts';

const { open, run } = startConsole();

const rows = (page: Page) => page.locator('tr.entry');
const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

/** Clicks the button of a download, and reads the file that the browser saves. */
const download = async (page: Page, name: string) => {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
};

test('the list of batches marks the batch that halved, and the filter by warehouse is in the address', async () => {
  const page = await open('#/batches');
  const halved = rows(page).filter({ has: page.locator('.below') });
  expect(await halved.innerText()).toMatch(/east\s+44\s+−66$/);
  await page.getByRole('combobox', { name: 'Warehouse' }).selectOption('north');
  expect(hashOf(page)).toBe('#/batches/north');
  expect(new Set(await page.locator('tr.entry td:nth-child(2)').allInnerTexts())).toEqual(new Set(['north']));
});

test('the list of batches offers batches of all warehouses for a comparison', async () => {
  const page = await open('#/batches/south/latest');
  await page.getByRole('link', { name: 'Compare with another' }).click();
  await page.getByText(/^Choose the batch to compare with south, /).waitFor();
  await page.getByRole('combobox', { name: 'Warehouse' }).selectOption('north');
  await rows(page).first().getByRole('link').first().click();
  expect(hashOf(page)).toMatch(/^#\/batches\/compare\?one=south\/.*&other=north\//);
  await rows(page).first().waitFor();
});

test('one batch shows its entries, can be searched, and is downloaded with the columns of the command line', async () => {
  const page = await open('#/batches/south/latest');
  await rows(page).first().waitFor();
  await page.getByLabel('Search').fill('kabel-8/003');
  await expect.poll(() => hashOf(page)).toMatch(/\?q=kabel-8\/003$/);
  expect(await rows(page).count()).toBe(1);
  const { name, text } = await download(page, 'CSV with 0,5');
  expect(name).toMatch(/^batch south \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.csv$/);
  const [titles, first = ''] = text.split('\r\n');
  expect(titles).toBe(
    '\uFEFFClient;SnapshotId;ReceivedAt;MaterialCode;StockBalance;StockBalanceUnit;PurchaseOrders',
  );
  expect(first).toMatch(/^south;[^;]+;[^;]+;[^;]+;"?\d+,\d+"?;/);
  const workbook = await download(page, 'XLSX');
  expect(workbook.name).toMatch(/\.xlsx$/);
  expect(workbook.text.slice(0, 2)).toBe('PK');
  await page.getByRole('link', { name: 'Kabel-8/003' }).click();
  expect(hashOf(page)).toBe('#/materials/Kabel-8/003');
});

test('a comparison shows before, after, difference and the kind of change', async () => {
  const entryOf = (MaterialCode: string, StockBalance: number, more: object = {}) => ({
    ...{ MaterialCode, StockBalance, StockBalanceUnit: 'kg', PurchaseOrders: {} },
    ...more,
  });
  const before = [entryOf('A', 1_000.25), entryOf('gone', 1), entryOf('same', 5), entryOf('unit', 5)];
  const after = [
    entryOf('A', 999.5, { PurchaseOrders: ['OT1234567'] }),
    ...[entryOf('new', 2), entryOf('same', 5), entryOf('unit', 5, { StockBalanceUnit: 't' })],
  ];
  for (const MaterialCodes of [before, after])
    expect((await run().post('material-stock-balance', { MaterialCodes })).status).toBe(200);
  const page = await open('#/batches/warehouse');
  await page.getByRole('link', { name: '0', exact: true }).first().click();
  const texts = async () =>
    (await rows(page).allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()));
  await rows(page).first().waitFor();
  expect(await texts()).toEqual([
    ['A', 'changed', '1,000.25', '999.5', '−0.75', 'kg', 'none → OT1234567'],
    ['gone', 'gone', '1', '', '', 'kg', 'none'],
    ['new', 'added', '', '2', '', 'kg', 'none'],
    ['unit', 'changed', '5', '5', '', 'kg → t', 'none'],
  ]);
});
