import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { eventually, expectAccessible, expectPrinted, press, rows, startConsole } from './open-page.ts';

const { open, sendBatch } = startConsole();

const SLAVIC = 'Śruba-7'.normalize('NFD');
/** With a Cyrillic vowel. */
const LOOK_ALIKE = 'Śrubа-8'.normalize('NFD');
/** As markup, it would run a script. */
const HOSTILE_UNIT = '<svg/onload=boom("ABCDEFGHIJ")>';

const MANY = Array.from({ length: 5_100 }, (_, index) => ({
  MaterialCode: `M-${String(index).padStart(4, '0')}`,
  StockBalance: (index * 7_919) % 5_100,
}));
const BATCH = [
  { MaterialCode: SLAVIC, StockBalance: -7.125, PurchaseOrders: ['OT4500001', 'OT7654321'] },
  { MaterialCode: LOOK_ALIKE, StockBalance: 12_345_678.5 },
  { MaterialCode: 'Rohr-2/10', StockBalance: 5, StockBalanceUnit: HOSTILE_UNIT },
];

beforeAll(async () => {
  await sendBatch(BATCH.map((entry) => ({ ...entry, StockBalance: 0.1 })));
  await sendBatch([...BATCH, ...MANY]);
});

/** Waits until the console has the batches. */
const openList = async (query = '', options: Parameters<typeof open>[1] = {}) => {
  const page = await open(`#/materials?${query}`, options);
  await eventually(() => countOf(page)).not.toMatch(/^(0 .*)?$/);
  return page;
};

const codesOf = (page: Page) => page.locator('tr.entry > th').allInnerTexts();
const countOf = (page: Page) => page.locator('.stock').getByRole('status').innerText();
const cellOf = (page: Page, title: string) =>
  rows(page).first().locator(`[data-label="${title}"]`).innerText();

test('a balance has its unit, its difference, orders and a local time, stacks on a phone, and a hostile text stays a text', async () => {
  const page = await openList(`search=${encodeURIComponent(SLAVIC)}`);
  const row = rows(page).first();
  await eventually(() => row.innerText()).toMatch(
    /warehouse\s+−7,125\s+\(below zero\)\s+kg\s+−7,225\s+OT4500001 OT7654321\s+\d{4}-\d\d-\d\d \d\d:\d\d\s/,
  );
  await page.setViewportSize({ width: 360, height: 900 });
  const cell = row.locator('[data-label="Balance"]');
  const [below, above] = [await cell.boundingBox(), await row.getByRole('rowheader').boundingBox()];
  expect(below?.y).toBeGreaterThan(above?.y ?? 0);
  expect(await cell.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Balance"');
  // Right of the titles.
  expect((await row.getByRole('link', { name: 'OT7654321' }).boundingBox())?.x).toBeGreaterThan(128);
  await page.getByLabel('Search').fill('rohr-2/10');
  await page.getByRole('cell', { name: HOSTILE_UNIT }).waitFor();
  expect(await page.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.getByRole('link', { name: 'Rohr-2/10' }).click();
  await eventually(() => page.locator('figcaption').innerText()).toBe(`Balance in ${HOSTILE_UNIT}`);
  const firstTime = page.locator('figure').getByText(/^\d\d:\d\d\d{4}-\d\d-\d\d$/);
  await firstTime.first().waitFor();
  expect(await page.locator('[onload]').count()).toBe(0);
});

test('a search finds other cases, and marks letters that look alike; the filters are in the address, an order leads to its balances, and the way back from a material keeps them', async () => {
  const page = await openList('', { locale: 'en-GB' });
  await page.getByLabel('Search').fill('śruba-8');
  await eventually(() => page.locator('mark').allInnerTexts()).toEqual(['а']);
  await page.waitForURL(/\?search=%C5%9Bruba-8$/);
  await page.reload();
  await eventually(() => page.locator('mark').getAttribute('title')).toContain('U+0430');
  await expectAccessible(page);
  await page.getByLabel('Search').fill(LOOK_ALIKE);
  await eventually(() => page.locator('mark').count()).toBe(0);
  await eventually(() => cellOf(page, 'Balance')).toBe('12\u202f345\u202f678.5');
  await page.getByLabel('Search').fill('');
  for (const client of ['east', 'north', 'south', 'warehouse']) {
    await page.getByRole('combobox', { name: 'Warehouse' }).press('ArrowDown');
    await page.waitForURL(({ hash }) => hash === `#/materials?client=${client}`);
  }
  await page.getByRole('combobox', { name: 'Unit' }).selectOption('kg');
  await page.getByLabel('Purchase order').fill('ot76543');
  await eventually(() => codesOf(page)).toEqual([SLAVIC]);
  await page.waitForURL(/#\/materials\?client=warehouse&unit=kg&order=ot76543$/);
  await page.setViewportSize({ width: 360, height: 900 });
  await page.getByRole('link', { name: SLAVIC }).click();
  const finding = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'OT7654321' }) });
  await eventually(() => finding.innerText()).toMatch(/^Unlisted order\s+warehouse: OT7654321: 1 material/);
  expect((await finding.locator('.severity').boundingBox())?.height).toBeLessThan(30);
  await page.getByRole('link', { name: 'Back to the materials' }).click();
  await eventually(() => codesOf(page)).toEqual([SLAVIC]);
  await page.getByRole('link', { name: 'OT4500001' }).click();
  await page.waitForURL(/#\/materials\?order=OT4500001$/);
  await press(page, 'Totals');
  await eventually(() => countOf(page)).toBe('1 total');
  await eventually(() => cellOf(page, 'Total')).toContain('−7.125');
  await expectAccessible(page);
});

test('a heading sorts both ways by keyboard, scrolls up, keeps the focus, and the download has the same rows in the same order', async () => {
  const page = await openList('search=m-00', { expected: /Failed to load resource/ });
  await page.route(/downloads/, (route) => route.abort());
  await press(page, 'XLSX');
  await page.getByRole('alert').waitFor();
  await page.unrouteAll();
  // All rows are on one page.
  expect(await page.getByRole('button', { name: 'Last rows' }).count()).toBe(0);
  const heading = page.getByRole('columnheader', { name: 'Balance' });
  const box = page.getByRole('region', { name: 'Balances by material and warehouse' });
  await heading.getByRole('button').focus();
  for (const direction of ['ascending', 'descending']) {
    await box.evaluate((element) => element.scrollTo({ top: 500 }));
    await page.keyboard.press('Enter');
    await eventually(() => heading.getAttribute('aria-sort')).toBe(direction);
    expect(await box.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  }
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.waitForURL(/#\/materials\?search=m-00&sort=-StockBalance$/);
  const sorted = MANY.slice(0, 100).toSorted((one, other) => other.StockBalance - one.StockBalance);
  await eventually(async () => (await codesOf(page))[0]).toBe(sorted[0]?.MaterialCode);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Balance');
  const saved = page.waitForEvent('download');
  await press(page, 'CSV with 0,5');
  const file = readFileSync(await (await saved).path(), 'utf8');
  const [titles, ...lines] = file.trimEnd().split('\r\n');
  expect(titles?.slice(1).split(';')).toEqual(await page.getByRole('columnheader').allInnerTexts());
  expect(lines.map((line) => line.split(';')[0])).toEqual(sorted.map(({ MaterialCode }) => MaterialCode));
});

test('the pages of a table have each of its rows once in their order, from both ends, a new batch changes the rows in sight, but no place and no focus, and Back and a reload lead to the same place', async () => {
  const page = await openList('search=m-0', { expected: /400 \(Bad Request\)/ });
  await eventually(() => countOf(page)).toBe('1\u202f000 balances');
  const turnTo = async (first: number, name: string, clickCount = 1) => {
    await page.getByRole('button', { name }).click({ clickCount });
    const codes = MANY.slice(first, first + 100).map(({ MaterialCode }) => MaterialCode);
    await eventually(() => codesOf(page)).toEqual(codes);
    expect(await rows(page).last().getAttribute('aria-rowindex')).toBe(`${first + 101}`);
  };
  for (let first = 100; first < 1_000; first += 100) await turnTo(first, 'Rows after');
  expect(await page.locator('button:focus', { hasText: 'Rows after' }).isDisabled()).toBe(true);
  await turnTo(0, 'First rows');
  await turnTo(900, 'Last rows', 2);
  for (let first = 800; first >= 0; first -= 100) await turnTo(first, 'Rows before');
  expect(await page.locator('button:focus', { hasText: 'Rows before' }).isDisabled()).toBe(true);
  // The second click comes before the rows of the first one.
  await turnTo(200, 'Rows after', 2);
  await page.getByRole('link', { name: 'M-0200' }).focus();
  const placeOf = (name: string) => page.getByRole('link', { name }).boundingBox();
  const before = await placeOf('M-0200');
  await sendBatch([...BATCH, ...MANY.map((entry) => ({ ...entry, StockBalance: 77 }))]);
  const row = rows(page).filter({ has: page.getByRole('link', { name: 'M-0200' }) });
  await eventually(() => row.locator('[data-label="Balance"]').innerText()).toBe('77');
  expect(await page.locator('a:focus').innerText()).toBe('M-0200');
  expect(await placeOf('M-0200')).toEqual(before);
  await page.mouse.move(500, 500);
  // Scrolls the table to its end, then the page, and then the table again.
  for (const distance of [9_000, 9_000, -300]) {
    const scrolled = page.evaluate(() => new Promise((done) => addEventListener('scrollend', done, true)));
    await page.mouse.wheel(0, distance);
    await scrolled;
  }
  const scrolledTo = await placeOf('M-0290');
  await page.getByRole('link', { name: 'M-0290' }).click();
  await page.getByRole('region', { name: 'All balances' }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const back = page.getByRole('link', { name: 'Back to the materials' });
  // Opens another tab.
  await back.click({ modifiers: ['ControlOrMeta'] });
  for (const again of [() => back.click(), () => page.reload()]) {
    await again();
    await eventually(() => placeOf('M-0290')).toEqual(scrolledTo);
    expect((await codesOf(page))[0]).toBe('M-0200');
  }
  await press(page, 'Rows after');
  await eventually(async () => (await codesOf(page))[0]).toBe('M-0300');
  expect(await page.locator('.scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  // A place that the console cannot read.
  await page.evaluate('history.state.sort.pathEnd = "&after=x"; history.replaceState(history.state, "")');
  await page.reload();
  await eventually(async () => (await codesOf(page))[0]).toBe('M-0000');
});

test('a print has all rows without controls, and more than 5,000 are refused in words', async () => {
  const page = await openList('search=m-0&client=warehouse');
  await expectPrinted(page, 1_000);
  await eventually(() => rows(page).count()).toBe(100);
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Filter: search m-0, warehouse warehouse.').waitFor();
  expect(await page.locator('nav a, input, select').filter({ visible: true }).count()).toBe(0);
  // On paper, the table is as wide as the sheet.
  await page.setViewportSize({ width: 700, height: 900 });
  expect(await page.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // Without its rows, each sheet still has the text of the head.
  await page.addStyleTag({ content: 'tbody { visibility: hidden }' });
  const sheets = String(await page.pdf()).match(/\/Type \/Page\n/g) ?? [];
  expect(sheets.length).toBeGreaterThan(1);
  for (const index of sheets.keys())
    expect(String(await page.pdf({ pageRanges: `${index + 1}` }))).toContain('/Type /Font');
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('Search').fill('m-');
  await eventually(() => countOf(page)).toBe('5\u202f100 balances');
  await press(page, 'Print these rows');
  await page.getByText('There are more than 5\u202f000 rows.').waitFor();
});

test('the page of a material shows its facts, findings, a chart with the steps, and all balances', async () => {
  // The address of the totals, for the way back. The tables of this page have no such column.
  const address = '#/materials/Rohr-4%2F007?show=totals&sort=Warehouses&history=Unknown';
  const page = await open(address, { expected: /400 \(Bad Request\)/ });
  await eventually(() => page.locator('dl').innerText()).toMatch(/Rohr.*Weight\s+9,94/s);
  await page.getByRole('list', { name: 'Findings' }).getByText('Power of ten').waitFor();
  const latest = page.getByRole('region', { name: 'The latest balance in each warehouse' });
  await latest.getByRole('rowheader', { name: 'south' }).waitFor();
  const titles = ['Warehouse', 'Balance', 'Unit', 'Difference', 'Orders', 'Received', 'Since'];
  expect(await latest.getByRole('columnheader').allInnerTexts()).toEqual(titles);
  const chart = page.getByRole('img', { name: /^Balance of Rohr-4\/007 in kg over time, of / });
  await chart.waitFor();
  const paths = chart.locator('.steps path');
  const steps = await paths.evaluateAll((all) => all.map((path) => path.getAttribute('d')));
  // Each balance lasts until the next one begins, also the last one and one before a gap.
  const levels = /^([ML]([\d.]+)(,[\d.]+)L(?!\2,)([\d.]+)\3(?=$|M|L\4,))+$/;
  expect(steps).toEqual([1, 2, 3].map(() => expect.stringMatching(levels)));
  await press(page, 'Show the usual order');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await expectAccessible(page);
  const all = page.getByRole('region', { name: 'All balances' });
  expect(await all.locator('tr.entry').first().innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
  await chart.hover({ position: { x: 500, y: 150 } });
  await chart.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
  const unknown = await open(`#/materials/%3Cimg%20src%3Dx%3E`);
  await unknown.getByText('No warehouse sent a balance of <img src=x>.', { exact: true }).waitFor();
  // No page of the console is before this page.
  for (const _ of [1, 2]) {
    await unknown.getByRole('link', { name: 'Back to the materials' }).click();
    await unknown.getByRole('region', { name: 'Balances by material and warehouse' }).waitFor();
    await unknown.goBack();
  }
});
