import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  counted,
  expectAccessible,
  expectHash,
  expectPrinted,
  expectSoon,
  expectText,
  press,
  rows,
  startConsole,
} from './open-page.ts';

const { open, put, sendBatch } = startConsole();

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
  await expectText(counted(page), /^[^0]/);
  return page;
};

const codesOf = (page: Page) => page.locator('tr.entry > th').allInnerTexts();
const cellOf = (page: Page, title: string) => rows(page).first().locator(`[data-label="${title}"]`);
const linkOf = (page: Page, name: string) => page.getByRole('link', { name });
const placeOf = (page: Page, name: string) => linkOf(page, name).boundingBox();
const widthHidden = (page: Page) =>
  page.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth);
const BALANCES = 'Balances by material and warehouse';
const BACK = 'Back to the materials';

describe('a balance', () => {
  test('has its parts, which stack on a phone, each with its title', async () => {
    const page = await openList(`search=${encodeURIComponent(SLAVIC)}`);
    await expectText(
      rows(page).first(),
      /warehouse\s+−7,125\s+\(below zero\)\s+kg\s+−7,225\s+OT4500001 OT7654321\s+\d{4}-\d\d-\d\d \d\d:\d\d\s/,
    );
    await page.setViewportSize({ width: 360, height: 900 });
    const cell = cellOf(page, 'Balance');
    const [below, above] = [
      await cell.boundingBox(),
      await rows(page).first().getByRole('rowheader').boundingBox(),
    ];
    expect(below?.y).toBeGreaterThan(above?.y ?? 0);
    expect(await cell.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Balance"');
    // Right of the titles.
    expect((await placeOf(page, 'OT7654321'))?.x).toBeGreaterThan(128);
  });

  test('shows a hostile unit as a text, in table and chart', async () => {
    const page = await openList('search=rohr-2/10', { viewport: { width: 360, height: 900 } });
    await page.getByRole('cell', { name: HOSTILE_UNIT }).waitFor();
    expect(await widthHidden(page)).toBe(0);
    await linkOf(page, 'Rohr-2/10').click();
    await expectText(page.locator('figcaption'), `Balance in ${HOSTILE_UNIT}`);
    await page
      .locator('figure')
      .getByText(/^\d\d:\d\d\d{4}-\d\d-\d\d$/)
      .first()
      .waitFor();
    expect(await page.locator('[onload]').count()).toBe(0);
  });
});

describe('a search', () => {
  test('finds other cases, and marks letters that look alike', async () => {
    const page = await openList('', { locale: 'en-GB' });
    await page.getByLabel('Search').fill('śruba-8');
    await expectSoon(() => page.locator('mark').allInnerTexts()).toEqual(['а']);
    await page.waitForURL(/\?search=%C5%9Bruba-8$/);
    await page.reload();
    await expectSoon(() => page.locator('mark').getAttribute('title')).toContain('U+0430');
    await expectAccessible(page);
    await page.getByLabel('Search').fill(LOOK_ALIKE);
    await expectSoon(() => page.locator('mark').count()).toBe(0);
    await expectText(cellOf(page, 'Balance'), '12\u202f345\u202f678.5');
  });

  test('finds letters without marks, balances, and a pasted column', async () => {
    const page = await openList();
    await page.getByLabel('Search').fill('sruba −7,125');
    await expectSoon(() => codesOf(page)).toEqual([SLAVIC]);
    expect(await page.locator('mark').count()).toBe(0);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('M-0001\r\nM-0003\r\n'));
    await page.getByLabel('Search').press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+v');
    await expectSoon(() => codesOf(page)).toEqual(['M-0001', 'M-0003']);
    await expectHash(page, '#/materials?search=M-0001,+M-0003');
  });

  test('by warehouse, unit and order survives the way back', async () => {
    const page = await openList();
    for (const client of ['east', 'north', 'south', 'warehouse']) {
      await page.getByRole('combobox', { name: 'Warehouse' }).press('ArrowDown');
      await expectHash(page, `#/materials?client=${client}`);
    }
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('kg');
    await page.getByLabel('Purchase order').fill('ot76543');
    await expectSoon(() => codesOf(page)).toEqual([SLAVIC]);
    await page.setViewportSize({ width: 360, height: 900 });
    await linkOf(page, SLAVIC).click();
    const finding = page.getByRole('listitem').filter({ has: linkOf(page, 'OT7654321') });
    await expectText(finding, /^Unlisted order\s+warehouse: OT7654321: 1 material/);
    expect((await finding.locator('.severity').boundingBox())?.height).toBeLessThan(30);
    await linkOf(page, BACK).click();
    await expectSoon(() => codesOf(page)).toEqual([SLAVIC]);
    await expectHash(page, '#/materials?client=warehouse&unit=kg&order=ot76543');
  });

  test('by the link of an order is also one of the totals', async () => {
    const page = await openList(`search=${encodeURIComponent(SLAVIC)}`, { locale: 'en-GB' });
    await linkOf(page, 'OT4500001').click();
    await expectHash(page, '#/materials?order=OT4500001&show=uses');
    await expectText(counted(page), '1 use');
    await press(page, 'Totals');
    await expectText(counted(page), '1 total');
    await expectText(cellOf(page, 'Total'), /−7\.125/);
    await expectAccessible(page);
  });
});

describe('a heading', () => {
  const sorted = MANY.slice(0, 100).toSorted((one, other) => other.StockBalance - one.StockBalance);

  test('sorts both ways by keyboard, scrolls up and keeps the focus', async () => {
    const page = await openList('search=m-00');
    // All rows are on one page.
    expect(await linkOf(page, 'Last rows').count()).toBe(0);
    const usual = page.getByRole('columnheader', { name: 'Material', exact: true });
    await expectSoon(() => usual.getAttribute('aria-sort')).toBe('ascending');
    const heading = page.getByRole('columnheader', { name: 'Balance' });
    const box = page.getByRole('region', { name: BALANCES });
    await heading.getByRole('button').focus();
    for (const direction of ['ascending', 'descending']) {
      await box.evaluate((element) => element.scrollTo({ top: 500 }));
      await page.keyboard.press('Enter');
      await expectSoon(() => heading.getAttribute('aria-sort')).toBe(direction);
      expect(await box.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    }
    await expectHash(page, '#/materials?search=m-00&sort=-StockBalance');
    await expectSoon(async () => (await codesOf(page))[0]).toBe(sorted[0]?.MaterialCode);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Balance');
  });

  test('sorts the rows of a download, too', async () => {
    const page = await openList('search=m-00&sort=-StockBalance');
    const saved = page.waitForEvent('download');
    await press(page, 'CSV with 0,5');
    const file = readFileSync(await (await saved).path(), 'utf8');
    const [titles, ...lines] = file.trimEnd().split('\r\n');
    const shown = await page.getByRole('columnheader').allInnerTexts();
    const named = [...shown, 'From batches since'].map((title) =>
      /^(Received|Since at least|From)/.test(title) ? `${title} (Europe/Berlin)` : title,
    );
    expect(titles?.slice(1).split(';')).toEqual(named);
    expect(lines.map((line) => line.split(';')[0])).toEqual(sorted.map(({ MaterialCode }) => MaterialCode));
  });
});

test('a download that fails is reported, until the rows are others', async () => {
  const page = await openList('search=m-00', { expected: /Failed to load resource/ });
  await page.route(/downloads/, (route) => route.abort());
  await press(page, 'XLSX');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Search').fill('m-01');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

/** Turns to the page whose first row is the one at this index. */
const turnTo = async (page: Page, first: number, name: string, clickCount = 1) => {
  for (let click = 0; click < clickCount; click += 1) await linkOf(page, name).click();
  await expectRows(page, first);
};

const expectRows = async (page: Page, first: number) => {
  const codes = MANY.slice(first, first + 100).map(({ MaterialCode }) => MaterialCode);
  await expectSoon(() => codesOf(page)).toEqual(codes);
  expect(await rows(page).last().getAttribute('aria-rowindex')).toBe(`${first + 101}`);
};

const isDisabled = (page: Page) => page.locator('a:focus').getAttribute('aria-disabled');

describe('the pages of a table', () => {
  test('have each of its rows once in their order, from both ends', async () => {
    const page = await openList('search=m-0');
    await expectText(counted(page), '1\u202f000 balances');
    for (let first = 100; first < 1_000; first += 100) await turnTo(page, first, 'Rows after');
    expect(await isDisabled(page)).toBe('true');
    await turnTo(page, 0, 'First rows');
    await turnTo(page, 900, 'Last rows', 1);
    for (let first = 800; first >= 0; first -= 100) await turnTo(page, first, 'Rows before');
    expect(await isDisabled(page)).toBe('true');
    // The second click comes before the rows of the first one.
    await turnTo(page, 200, 'Rows after', 2);
    await expectAccessible(page);
  });

  test('have addresses, to which Back, a reload and another browser lead', async () => {
    const page = await openList('search=m-0&sort=MaterialCode');
    await turnTo(page, 100, 'Rows after');
    await turnTo(page, 900, 'Last rows');
    await expectHash(page, '#/materials?search=m-0&sort=MaterialCode&page=10');
    await page.goBack();
    await expectRows(page, 100);
    await page.reload();
    await expectRows(page, 100);
    const other = await open('#/materials?search=m-0&page=3');
    await expectRows(other, 200);
    await other.getByLabel('Search').fill('m-00');
    await expectRows(other, 0);
    await expectHash(other, '#/materials?search=m-00');
  });

  test('beyond the last one say so, and lead to it', async () => {
    const page = await open('#/materials?search=m-0&page=12');
    await page.getByText('There is no page 12.').waitFor();
    await turnTo(page, 900, 'Last rows');
  });

  test('take a new batch without another place or focus', async () => {
    const page = await openList('search=m-0');
    await turnTo(page, 200, 'Rows after', 2);
    await linkOf(page, 'M-0200').focus();
    const before = await placeOf(page, 'M-0200');
    await sendBatch([...BATCH, ...MANY.map((entry) => ({ ...entry, StockBalance: 77 }))]);
    const row = rows(page).filter({ has: linkOf(page, 'M-0200') });
    await expectText(row.locator('[data-label="Balance"]'), '77');
    expect(await page.locator('a:focus').innerText()).toBe('M-0200');
    expect(await placeOf(page, 'M-0200')).toEqual(before);
  });

  test('keep rows and place for the way back, and for a reload', async () => {
    const page = await openList('search=m-0');
    await turnTo(page, 200, 'Rows after', 2);
    await page.mouse.move(500, 500);
    // Scrolls the table to its end, then the page, and then the table again.
    for (const distance of [9_000, 9_000, -300]) await scroll(page, distance);
    const place = await placeOf(page, 'M-0290');
    await linkOf(page, 'M-0290').click();
    await page.getByRole('region', { name: 'All balances' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    for (const again of [() => page.goBack(), () => page.reload()]) {
      await again();
      await expectSoon(() => placeOf(page, 'M-0290')).toEqual(place);
      expect((await codesOf(page))[0]).toBe('M-0200');
    }
    await turnTo(page, 300, 'Rows after');
    expect(await page.locator('.scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  });

  test('are those to which the page of a material leads back', async () => {
    const page = await openList('search=m-0&page=3');
    await linkOf(page, 'M-0290').click();
    await linkOf(page, BACK).click();
    await expectRows(page, 200);
  });

  test('begin again if their number is not valid', async () => {
    const page = await open('#/materials?search=m-0&page=x', { expected: /400 \(Bad Request\)/ });
    await page.getByText('page: Ask for a page from 1 on.').waitFor();
    await press(page, 'Show the first rows in the usual order');
    await expectRows(page, 0);
  });
});

/** Turns the wheel, and waits until the scrolling has ended. */
const scroll = async (page: Page, distance: number) => {
  const scrolled = page.evaluate(() => new Promise((done) => addEventListener('scrollend', done, true)));
  await page.mouse.wheel(0, distance);
  await scrolled;
};

describe('a print', () => {
  test('has all rows and the filter, without controls', async () => {
    const page = await openList('search=m-0&client=warehouse');
    await expectPrinted(page, 1_000);
    await expectSoon(() => rows(page).count()).toBe(100);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Filter: search m-0, warehouse warehouse.').waitFor();
    expect(await page.locator('nav a, input, select').filter({ visible: true }).count()).toBe(0);
    // On paper, the table is as wide as the sheet.
    await page.setViewportSize({ width: 700, height: 900 });
    expect(await widthHidden(page)).toBe(0);
  });

  test('has the head of the table on each sheet', async () => {
    const page = await openList('search=m-0&client=warehouse');
    await page.emulateMedia({ media: 'print' });
    await page.addStyleTag({ content: 'tbody { visibility: hidden }' });
    const sheets = String(await page.pdf()).match(/\/Type \/Page\n/g) ?? [];
    expect(sheets.length).toBeGreaterThan(1);
    for (const index of sheets.keys())
      expect(String(await page.pdf({ pageRanges: `${index + 1}` }))).toContain('/Type /Font');
  });

  test('of more than 5,000 rows is refused in words', async () => {
    const page = await openList('search=m-');
    await expectText(counted(page), '5\u202f100 balances');
    await press(page, 'Print these rows');
    await page.getByText('There are more than 5\u202f000 rows.').waitFor();
  });
});

describe('the page of a material', () => {
  const PIPE = '#/materials/Rohr-4%2F007';

  test('shows its facts, findings and balances', async () => {
    const page = await open(PIPE);
    await expectText(page.locator('dl'), /Rohr.*Weight\s+9,94/s);
    await page.getByRole('list', { name: 'Findings' }).getByText('The decimal point moved').waitFor();
    const latest = page.getByRole('region', { name: 'The latest balance in each warehouse' });
    await latest.getByRole('rowheader', { name: 'south' }).waitFor();
    const titles = ['Warehouse', 'Balance', 'Unit', 'Difference', 'Orders', 'Received', 'Since at least'];
    expect(await latest.getByRole('columnheader').allInnerTexts()).toEqual(titles);
    const all = page.getByRole('region', { name: 'All balances' });
    await expectText(all.locator('tr.entry').first(), /^\d{4}-\d\d-\d\d \d\d:\d\d/);
    await expectAccessible(page);
  });

  test('has findings in the numbers and times of the reader', async () => {
    const page = await open(PIPE);
    const received = page.locator('tr.entry', { hasText: '730\u202f610' }).getByRole('time').first();
    const time = await received.getAttribute('title');
    const values = `it is 730\u202f610 kg (${time}), but was 730,61 kg in the previous batch (`;
    await page.getByText(`Multiplied by 1\u202f000: ${values}`).waitFor();
  });

  test('has a chart in which each balance lasts until the next one', async () => {
    const page = await open(PIPE);
    const chart = page.getByRole('img', { name: /^Balance of Rohr-4\/007 in kg over time, of / });
    await chart.waitFor();
    const paths = chart.locator('.steps path');
    const steps = await paths.evaluateAll((all) => all.map((path) => path.getAttribute('d')));
    // Also the last one and one before a gap.
    const levels = /^([ML]([\d.]+)(,[\d.]+)L(?!\2,)([\d.]+)\3(?=$|M|L\4,))+$/;
    expect(steps).toEqual([1, 2, 3].map(() => expect.stringMatching(levels)));
    await chart.hover({ position: { x: 500, y: 150 } });
    await chart.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
  });

  test('has the number of a clipped outlier inside its chart', async () => {
    const page = await open(PIPE);
    const number = page.locator('figure .outliers').getByText('730\u202f610 ▲').first();
    const [mark, chart] = [
      await number.boundingBox(),
      await page.locator('figure svg').first().boundingBox(),
    ];
    const endOf = (box: typeof mark) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(endOf(mark)).toBeLessThan(endOf(chart));
  });

  test('has charts of chosen warehouses, with an outlier clipped', async () => {
    const page = await open(PIPE);
    const marks = page.locator('figure .outliers').getByText('730\u202f610 ▲');
    await marks.first().waitFor();
    await expectAccessible(page);
    await press(page, 'Clip outliers (▲)');
    await marks.first().waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Warehouses in the charts' }).getByText('north').click();
    await expectHash(page, /[?]outliers=whole&shown=/);
    await expectSoon(() => page.locator('figure .steps path').count()).toBe(2);
    await page.reload();
    await expectSoon(() => page.locator('figure .steps path').count()).toBe(2);
    await linkOf(page, BACK).click();
    await expectHash(page, '#/materials');
  });

  test('offers the usual order if the column to sort by is missing', async () => {
    // The address of the totals, for the way back.
    const address = `${PIPE}?show=totals&sort=Warehouses&history=Unknown`;
    const page = await open(address, { expected: /400 \(Bad Request\)/ });
    await press(page, 'Show the first rows in the usual order');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expectHash(page, '#/materials/Rohr-4/007?show=totals&sort=Warehouses');
  });

  test('begins rows of the lists for its unlisted code and order', async () => {
    const page = await open(`#/materials/${encodeURIComponent(SLAVIC)}`);
    await linkOf(page, 'Add to the list: OT7654321').click();
    await page.getByLabel('PurchaseOrder of OT7654321', { exact: true }).waitFor();
    await page.goBack();
    await linkOf(page, `Add to the list: ${SLAVIC}`).click();
    await page.getByLabel(`MaterialCode of ${SLAVIC}`, { exact: true }).waitFor();
    await page.getByText('Not written yet: changes to 1 row').waitFor();
    await expectHash(page, '#/lists/codes');
    await page.goto(page.url().replace(/#.*/, '#/lists/orders'));
    await page
      .getByRole('link', { name: /^Balances of OT/ })
      .first()
      .click();
    await expectHash(page, /^#\/materials\?order=OT\d{7}&show=uses$/);
  });

  test('of an unknown material says so, and leads back', async () => {
    const page = await open('#/materials/%3Cimg%20src%3Dx%3E');
    await page.getByText('No warehouse sent a balance of <img src=x>.', { exact: true }).waitFor();
    // No page of the console is before this page.
    for (const _ of [1, 2]) {
      await linkOf(page, BACK).click();
      await page.getByRole('region', { name: BALANCES }).waitFor();
      await page.goBack();
    }
  });
});

// Comes last, because the other tests have fewer columns.
test('ten attributes leave the balance in view, and can be hidden', async () => {
  const attributes = Array.from({ length: 10 }, (_, index) => [`Attribute ${index}`, 'some words of text']);
  await put('MaterialCodes', { MaterialCode: 'Rohr-2/10', ...Object.fromEntries(attributes) });
  const page = await openList('search=rohr-2/10', { viewport: { width: 1_182, height: 740 } });
  await page.getByRole('columnheader', { name: 'Attribute 9' }).waitFor();
  for (const width of [1_182, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const { x = 0, y = 0, width: wide = 0, height = 0 } = (await cellOf(page, 'Balance').boundingBox()) ?? {};
    expect(x + wide).toBeLessThanOrEqual(width);
    expect(y + height).toBeLessThanOrEqual(740);
  }
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('Attribute 9').uncheck();
  await expectAccessible(page);
  await page.reload();
  await page.getByText('Columns (1 hidden)').waitFor();
  expect(await cellOf(page, 'Attribute 9').count()).toBe(0);
});

test('the page of a material has no words about other materials', async () => {
  const codes = Array.from({ length: 6 }, (_, index) => ({ MaterialCode: `Unit-${index}` }));
  await sendBatch(codes);
  await sendBatch(codes.map((code) => ({ ...code, StockBalanceUnit: 't' })));
  const page = await open('#/materials/Unit-0');
  const findings = page.getByRole('list', { name: 'Findings' });
  await findings.getByText('6 balances').waitFor();
  await page.evaluate("location.hash = '#/materials/Unit-1'");
  await findings.getByText('This material is one of several.').waitFor();
  expect(await findings.innerText()).not.toContain('Unit-0');
  // More unlisted orders than the check shows.
  const ordersOf = (place: number) =>
    Array.from({ length: 100 }, (_, index) => `OT${1e6 + place * 100 + index}`);
  await sendBatch(
    [...Array(101).keys()].map((place) => ({ MaterialCode: `${place}`, PurchaseOrders: ordersOf(place) })),
  );
  await page.evaluate("location.hash = '#/materials/100'");
  await findings.getByText('This material is one of several.').waitFor();
  expect(await findings.innerText()).not.toContain('more');
});
