import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startReport } from './open-page.ts';
import { HOSTILE_NAME, HOSTILE_UNIT, large, sample } from './sample.ts';

const open = startReport();

const LIST = '#/materials';
const SLAVIC = 'Śruba-7'.normalize('NFD');

const cellsOf = (page: Page, title: string) =>
  page.locator(`tr.entry [data-label="${title}"]`).allInnerTexts();
const codesOf = (page: Page) => page.locator('tr.entry > th').allInnerTexts();
const countOf = (page: Page) => page.getByRole('status').first().innerText();
const queryOf = (page: Page) =>
  Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1]));

test('the list of materials shows each balance with its unit, latest change, trend and orders, and hostile texts as texts', async () => {
  const page = await open({ hash: LIST });
  expect(await countOf(page)).toBe('12 balances');
  expect(await cellsOf(page, 'Unit')).toContain(HOSTILE_UNIT);
  expect(await cellsOf(page, 'Name')).toContain(HOSTILE_NAME);
  const row = page.getByRole('row', { name: 'ABC-1' }).first();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    ...['Bolt M8', 'north', '1,740.773', 'kg', '+149.485', '24 h ago'],
    ...['', 'OT4500001 OT7654321', '2026-03-30 11:30'],
  ]);
  await row.getByRole('img', { name: 'From 100.636 to 1,897.745 kg', exact: true }).waitFor();
  expect(await page.locator('main img, main b, main svg[onload]').count()).toBe(0);
});

test('the list of materials finds words in any case and with any form of accents, and writes them to the address', async () => {
  const page = await open({ hash: LIST });
  const found = async (words: string) => {
    await page.getByLabel('Search').fill(words);
    return [...new Set(await codesOf(page))];
  };
  expect(await found('сталь')).toEqual(['Сталь-10/А']);
  expect(await countOf(page)).toBe('2 of 12 balances');
  expect(await found('bolt ot4500001 north')).toEqual(['ABC-1']);
  expect(queryOf(page)).toEqual({ q: 'bolt ot4500001 north' });
  expect(await countOf(page)).toBe('1 of 12 balances');
  await page.reload();
  expect(await codesOf(page)).toEqual(['ABC-1']);
  expect(await found('nothing like it')).toEqual([]);
});

test('the list of materials filters by warehouse and finding, and a link back keeps the filters', async () => {
  const page = await open({ hash: LIST });
  await page.getByRole('combobox', { name: 'Warehouse' }).selectOption('south');
  await page.getByRole('combobox', { name: 'Findings' }).selectOption('units that differ');
  expect(await codesOf(page)).toEqual(['ABC-1', 'Сталь-10/А']);
  expect(queryOf(page)).toEqual({ warehouse: 'south', finding: 'unit-differs' });
  await page.getByRole('link', { name: 'Сталь-10/А' }).click();
  await page.getByRole('heading', { name: 'Сталь-10/А' }).waitFor();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  expect(await countOf(page)).toBe('2 of 12 balances');
});

test('the list of materials is sorted both ways by keyboard, with the numbers in codes as numbers', async () => {
  const page = await open({ hash: LIST });
  const codes = ['ABC-1', 'Kabel-5', 'Rohr-2/9', 'Rohr-2/10', SLAVIC, 'Сталь-10/А'];
  expect([...new Set(await codesOf(page))]).toEqual(codes);
  const sortBy = async (title: string) => {
    await page.getByRole('button', { name: title }).focus();
    await page.keyboard.press('Enter');
    return page.getByRole('columnheader', { name: title }).getAttribute('aria-sort');
  };
  expect(await sortBy('Balance')).toBe('ascending');
  expect((await cellsOf(page, 'Balance'))[0]).toContain('−');
  expect(await sortBy('Balance')).toBe('descending');
  expect(queryOf(page)).toEqual({ sort: '-balance' });
  expect((await cellsOf(page, 'Balance'))[0]).toContain('12,345,678.5');
  expect(await sortBy('Changed')).toBe('ascending');
  expect((await codesOf(page))[0]).toBe('Kabel-5');
});

test('the list of materials draws only the visible rows of 40,000', async () => {
  const page = await open({ data: large(), hash: LIST });
  expect(await countOf(page)).toBe('40,000 balances');
  expect(await page.locator('tr.entry').count()).toBeLessThan(60);
  await page.locator('.scroll').evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await page.getByRole('link', { name: 'M-39999' }).waitFor();
  await page.getByLabel('Search').fill('m-3999');
  expect(await countOf(page)).toBe('11 of 40,000 balances');
  expect((await codesOf(page))[0]).toBe('M-3999');
});

test('the page of a material shows its facts, findings, charts and changes', async () => {
  const page = await open({ hash: `${LIST}/ABC-1` });
  expect(await page.locator('.facts').innerText()).toContain('Bolt M8');
  expect(await page.getByRole('list', { name: 'Findings' }).innerText()).toContain('<svg onload=boom()>');
  const chart = page.getByRole('img', { name: 'Balance of ABC-1 in kg over time, of north and south' });
  await chart.waitFor();
  const paths = await chart
    .locator('.steps path')
    .evaluateAll((drawn) => drawn.map((path) => path.getAttribute('d')));
  // A step goes to the side and then up or down: two lines for each report after the first.
  expect(paths.map((path) => path?.match(/L/g)?.length)).toEqual([2 * 27, 2 * 9]);
  const changes = page.getByRole('region', { name: 'Changes of the balance' });
  expect((await changes.locator('tr.entry').first().innerText()).split(/\s+/)).toEqual([
    ...['2026-03-30', '11:30', 'north', '1,740.773', 'kg', '+149.485'],
  ]);
  await chart.hover({ position: { x: 500, y: 150 } });
  await chart.getByText(/2026-03-\d\d \d\d:30:00/).waitFor();
});

test('the page of a material shows hostile units and addresses as text', async () => {
  const page = await open({ hash: `${LIST}/${encodeURIComponent('Rohr-2/10')}` });
  expect(await page.locator('figcaption').innerText()).toBe(`Balance in ${HOSTILE_UNIT}`);
  const unknown = await open({ hash: `${LIST}/%3Cimg%20src%3Dx%3E` });
  expect(await unknown.locator('main').innerText()).toContain(
    'No warehouse reported a balance of <img src=x>',
  );
  expect(await unknown.locator('main img').count()).toBe(0);
});

test('reports the gaps of the history', async () => {
  const late = Date.parse('2026-03-20T12:00:00Z');
  const page = await open({ data: { ...sample(), thinnedToDays: 2, historySince: [0, late] }, hash: LIST });
  expect(await page.locator('.notice').allInnerTexts()).toEqual([
    expect.stringContaining('The history of south starts later, on 2026-03-20'),
    expect.stringContaining('the last change of every 2 days'),
    expect.stringContaining('1 snapshot could not be read'),
  ]);
});
