import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Work } from '../../admin/console/api.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import {
  changeState,
  counted,
  expectAccessible,
  expectHash,
  expectSoon,
  expectText,
  press,
  readState,
  rows,
  startConsole,
} from './open-page.ts';

const { open, sendBatch } = startConsole();

const CHANGED = { MaterialCode: 'A', StockBalance: 1_000.25 };
const BEFORE = [CHANGED, ...['gone', 'same', 'unit'].map((MaterialCode) => ({ MaterialCode }))];
const AFTER = [
  { ...CHANGED, StockBalance: 999.5, PurchaseOrders: ['OT1234567'] },
  { MaterialCode: 'new', StockBalance: 2 },
  { MaterialCode: 'same' },
  { MaterialCode: 'unit', StockBalanceUnit: 't' },
];

beforeAll(async () => {
  await sendBatch(BEFORE);
  await sendBatch(AFTER);
});

const isBad = /400 \(Bad Request\)/;
const linkOf = (page: Page, name: string) => page.getByRole('link', { name });
const cardOf = (page: Page, name: string) =>
  page.locator('.work > li', { has: page.getByRole('link', { name, exact: true }) });
const sentenceOf = (page: Page, words: string) => page.locator('.work .findings li', { hasText: words });
const isLoaded = (page: Page) => expectText(rows(page).first(), /\twarehouse\t4\t0\tloaded$/);

describe('the overview', () => {
  test('has a card for each warehouse and list that needs somebody', async () => {
    const page = await open('#/overview');
    await expectSoon(() => page.locator('.work h2').allInnerTexts()).toHaveLength(6);
    await expectText(cardOf(page, 'north'), /No batch since .*, usually twice a day/);
    await expectText(cardOf(page, 'south'), /6 materials come in t instead of kg since \d/);
    // The sentences say it.
    expect(await page.getByText(/^[16] findings?$/).count()).toBe(0);
    await cardOf(page, 'north').getByRole('link', { name: 'north' }).press('Enter');
    await expectHash(page, '#/batches/north');
  });

  test.each(['de-DE', 'ru-RU'])('leads from a sentence to exactly its findings: %s', async (locale) => {
    const page = await open('#/overview', { locale });
    const sentences = page.locator('.work .findings li');
    await expectSoon(() => sentences.count()).toBeGreaterThan(8);
    const { cards }: Work = await page.evaluate(async () => (await fetch('api/work')).json());
    const concerns = cards.flatMap((card) => card.concerns);
    for (const [index, { count }] of concerns.entries()) {
      await sentences.nth(index).getByRole('link').first().press('Enter');
      await expectText(counted(page), `${count} finding${count === 1 ? '' : 's'}`);
      await expectHash(page, /&state=open$/);
      await page.goBack();
      await sentences.first().waitFor();
    }
  });

  test('marks what is new since the last look', async () => {
    const page = await open('#/overview');
    await page.locator('.work').waitFor();
    expect(await page.locator('.new').count()).toBe(0);
    await page.clock.setFixedTime(Date.now() + DAY_MS);
    await page.route(/api.work/, async (route) => {
      const work = await (await route.fetch()).json();
      work.cards[0].concerns[0].newestSince += DAY_MS;
      await route.fulfill({ json: work });
    });
    for (const _ of ['a new look', 'the same look']) {
      await page.reload();
      await page.getByText('1 line new since you last looked.').waitFor();
      await page.locator('.work > li').first().locator('.new').waitFor();
    }
    await page.clock.setFixedTime(Date.now() + 2 * DAY_MS);
    await page.reload();
    await page.locator('.work').waitFor();
    await expectSoon(() => page.locator('.new').count()).toBe(0);
  });

  test('marks what comes while the page stays open', async () => {
    const page = await open('#/overview');
    await page.locator('.work').waitFor();
    await page.route(/api.work/, async (route) => {
      const work = await (await route.fetch()).json();
      work.cards[0].concerns[0].newestSince += DAY_MS;
      await route.fulfill({ json: work });
    });
    await changeState(page, () => ({ version: 1_000_000 }));
    await page.getByText('1 line new since you last looked.').waitFor();
  });

  test('hides a sentence that was told, for all admins, until Undo', async () => {
    const [page, other] = [await open('#/overview'), await open('#/overview', { locale: 'ru-RU' })];
    await press(sentenceOf(page, '44 of 110'), 'Told');
    const dialog = page.getByRole('dialog', { name: 'Told' });
    await dialog.getByLabel('Note').fill('Anna ruft an');
    await press(dialog, 'Hide it as told');
    await page.locator('.findings li:focus', { hasText: 'changed between positive' }).waitFor();
    await other.getByText('1 told').press('Enter');
    const told = sentenceOf(other, '44 of 110');
    await told.getByText(/^Told \d\d:\d\d by .+: Anna ruft an$/).waitFor();
    await expectAccessible(other);
    await told.getByRole('link').press('Enter');
    await expectText(counted(other), '1 finding');
    await other.goBack();
    await other.getByText('1 told').press('Enter');
    await press(told, 'Undo');
    await other.getByText('1 told').waitFor({ state: 'detached' });
  });

  test('hides what is known until a day, unless somebody was first', async () => {
    const expected = /Failed to load resource/;
    const [page, other] = [await open('#/overview'), await open('#/overview', { expected })];
    const [first, second] = [page, other].map((one) => sentenceOf(one, 'balances have codes'));
    await other.route(/api.(state|work)/, (route) => route.abort());
    for (const one of [first, second]) if (one) await press(one, 'Known until…');
    for (const one of [page, other]) {
      await one.getByLabel('Until the').fill(`${new Date().getFullYear() + 1}-12-05`);
      await press(one.getByRole('dialog'), 'Hide it until then');
    }
    await page.getByText('1 known until 5 Dec').waitFor();
    await other.getByRole('dialog').getByRole('alert').getByText('marked').waitFor();
  });

  test('says in one line that everything else is fine', async () => {
    const page = await open('#/overview');
    const json = { cards: [], fine: ['north', 'south'] };
    await page.route(/api.work/, (route) => route.fulfill({ json }));
    await page.reload();
    await page.getByText('Everything is fine: 2 warehouses').press('Enter');
    await linkOf(page, 'south').first().click();
    await expectHash(page, '#/batches/south');
  });

  test('has the days that are not as usual', async () => {
    const page = await open('#/overview');
    const days = page.getByRole('region', { name: 'Days that are not as usual' });
    const closed = days.getByRole('row', { name: /^east/ });
    await expectSoon(() => closed.locator('.no-batch').first().getAttribute('title')).toMatch(/: 0 batches/);
    expect(await closed.locator('td > span:not(.hidden)').count()).toBe(0);
    expect(await days.getByRole('row', { name: /^warehouse/ }).count()).toBe(0);
    await page.getByText(/[23] warehouses have no such day\./).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await closed.locator('.no-batch').first().boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    await days.getByRole('link', { name: 'east' }).click();
    await expectHash(page, '#/batches/east');
  });

  test('leads to the days of a warehouse, with each count', async () => {
    const page = await open('#/batches/warehouse');
    const cells = page
      .getByRole('row', { name: /^warehouse \d/ })
      .first()
      .getByRole('cell');
    const words = /^warehouse, \d{4}-\d\d-\d\d: \d batch(es)?, \d+ changes?$/;
    await expectSoon(() => cells.nth(29).getAttribute('title')).toMatch(words);
    expect(await cells.nth(29).innerText()).toMatch(/^[1-9]$/);
    expect(await cells.count()).toBe(31);
    await expectAccessible(page);
  });

  test('says why refused requests are not shown', async () => {
    const page = await open('#/overview');
    await changeState(page, () => ({ refusalFailure: 'The log is damaged.' }));
    const sentence = page.getByText('Refused requests are not shown. The log is damaged.', { exact: true });
    await sentence.waitFor();
    await page.evaluate("location.hash += '?at=2020-01-01T12:00:00Z'");
    await page.getByText('This is the stock as of').waitFor();
    await page.getByText('The material codes and purchase orders are as of now,').waitFor();
    await sentence.waitFor({ state: 'detached' });
  });

  test('calls no client missing during the first read', async () => {
    const page = await open('#/findings');
    await changeState(page, () => ({ isFirstRead: true }));
    await page.route(/api.work/, (route) => route.fulfill({ json: { cards: [], fine: [] } }));
    await linkOf(page, 'Overview').click();
    await page.getByText('The stock is still being read.').waitFor();
    expect(await page.getByText('There are no clients.').count()).toBe(0);
    await changeState(page, () => ({ isFirstRead: false, hasGap: true }));
    await page.getByText('The newest batches are there.').waitFor();
  });
});

describe('batches that were not read', () => {
  const older = { since: Date.now() - 365 * DAY_MS, batches: 1_200, dollars: 0.424, minutes: 6.2 };

  test('are offered with their price, and then read with a bar', async () => {
    const page = await open('#/batches');
    await page.route(/api\/older/, (route) => route.fulfill({ json: older }));
    await changeState(page, () => ({ knownSince: Date.now() - 31 * DAY_MS }));
    await page.getByText(/From batches since \d{4}-/).waitFor();
    await page.getByText('takes about 1 200 batches, $0,42 and 7 minutes.').waitFor();
    await expectAccessible(page);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: /^Read back to/ }).click();
    expect((await sent).postDataJSON()).toEqual({ since: older.since });
    await page.getByText(/^Reading back to \d{4}-.* begins in a few seconds\.$/).waitFor();
    await changeState(page, () => ({ knownSince: Date.now(), share: 0.4, minutesLeft: 2.5 }));
    await page.getByText('Batches are still being read: 40 %, about 3 minutes left.').waitFor();
    await expectAccessible(page);
  });

  test('are missing at an earlier moment, which says so', async () => {
    const asOf = Date.now() - DAY_MS;
    const page = await open(`#/batches?at=${new Date(asOf).toISOString()}`);
    await page.route(/api\/older/, (route) => route.fulfill({ json: older }));
    await changeState(page, () => ({ asOf, knownSince: Date.now() - DAY_MS / 2 }));
    await page.getByText('The batches of this moment have not been read, so the page lacks them.').waitFor();
  });
});

describe('a batch', () => {
  test('leads to its entries, which can be searched', async () => {
    const page = await open('#/batches/warehouse');
    await isLoaded(page);
    await expectAccessible(page);
    await rows(page).first().getByRole('link').first().click();
    await page.getByText(/^Batch \d{4}-.*, request /).waitFor();
    await expectText(counted(page), /^\d+ entr/);
    await page
      .locator('h2')
      .getByText(await counted(page).innerText())
      .waitFor();
    await expectAccessible(page);
    await page.getByLabel('Search').fill('SAME');
    await expectSoon(() => rows(page).allInnerTexts()).toEqual(['same\t1\tkg\t']);
  });

  test('is compared with another one, the older as before', async () => {
    const page = await open('#/batches/warehouse');
    await isLoaded(page);
    await rows(page).first().getByRole('link').first().click();
    await linkOf(page, 'Compare with another').click();
    await page.getByText(/^Choose the batch to compare with warehouse, /).waitFor();
    await rows(page).nth(1).getByRole('link').first().click();
    await expectSoon(() => page.locator('h2').allInnerTexts()).toEqual(
      ['Before', 'After'].map((side) => expect.stringMatching(`${side}: warehouse, [-\\d]+ (\\d\\d:?){3} `)),
    );
    await expectSoon(() => rows(page).allInnerTexts()).toEqual([
      'changed\tA\t1\u202f000,25\t999,5\t−0,75\tkg\tkg\t\tOT1234567',
      'gone\tgone\t1\t\t\tkg\t\t\t',
      'added\tnew\t\t2\t\t\tkg\t\t',
      'changed\tunit\t1\t1\t\tkg\tt\t\t',
    ]);
    await expectAccessible(page);
  });

  test('to compare with is found among all warehouses, sorted as chosen', async () => {
    const page = await open('#/batches/warehouse?one=warehouse/x');
    await isLoaded(page);
    expect(await rows(page).filter({ hasNotText: 'warehouse' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Received' }).click({ clickCount: 2 });
    await page.getByRole('combobox', { name: 'Warehouse' }).press('Home');
    await expectHash(page, /^#\/batches\?one=/);
    const halved = rows(page).filter({ hasText: 'east', has: page.locator('.below') });
    await expectText(halved, /east\s+44\s+−66\s+loaded$/);
    expect(await page.locator('select:focus').count()).toBe(1);
    await rows(page).nth(1).getByRole('link', { name: 'warehouse' }).click();
    await expectHash(page, /^#\/batches\/warehouse\?one=warehouse.*&sort=-ReceivedAt$/);
  });

  test('that does not exist is missed in words, as a page is', async () => {
    const page = await open('#/batches/south/2020-01-01T00:00:00.000Z-x');
    await page.getByText('There is no such batch.').waitFor();
    const nothing = await open('#/constructor');
    expect(await nothing.locator('main').innerText()).toMatch(/^No such page\n[^[]*$/);
  });
});

describe('the findings', () => {
  test('of a kind are chosen, and forced colours show it', async () => {
    const page = await open('#/findings?kind=unit-differs');
    await expectText(
      cardOf(page, 'south'),
      /^south\serror\s+Write to south\s+6 materials come in t instead of kg since/,
    );
    await expectAccessible(page);
    await page.emulateMedia({ forcedColors: 'active' });
    const borderOf = (chosen: Element) => getComputedStyle(chosen).borderLeftStyle;
    for (const chosen of await page.locator('[aria-pressed="true"], [aria-current]').all())
      expect(await chosen.evaluate(borderOf)).toBe('double');
    await page.getByRole('button', { name: 'Unit differs', pressed: true }).click();
    await expectHash(page, '#/findings');
  });

  test('are counted by a chip within the filters that are set', async () => {
    const page = await open('#/findings?severity=warning');
    await page.getByLabel('Warehouse or list').selectOption('east');
    const [chips, sentences] = [page.locator('.chip .soft'), page.locator('.work .findings a')];
    await expectSoon(() => sentences.allInnerTexts()).toEqual([
      expect.stringMatching(/^Гайка-2\/004 changed/),
    ]);
    await expectSoon(() => chips.allInnerTexts()).toEqual(['1']);
    await expectText(page.locator('.work h2'), /^east warning$/);
    await page.getByLabel('Warehouse or list').selectOption('south');
    await page.getByLabel('Severity').selectOption('error');
    await expectSoon(() => chips.allInnerTexts()).toEqual(['1', '6']);
    await page.locator('.chip').nth(1).click();
    await expectText(counted(page), '6 findings');
  });

  test('of a list are one card, and rows of one kind', async () => {
    const page = await open('#/findings?scope=list:MaterialCodes');
    await expectText(page.locator('.work h2'), /^The list of material codes/);
    expect(await rows(page).count()).toBe(0);
    await page
      .locator('.work')
      .getByRole('link', { name: /no balance$/ })
      .click();
    await expectSoon(() => rows(page).count()).toBeGreaterThan(0);
  });

  test('of unlisted codes and orders lead into their list', async () => {
    const page = await open('#/findings?scope=list:MaterialCodes');
    const card = cardOf(page, 'The list of material codes');
    await card.getByText('new (sent by warehouse)').waitFor();
    await card.getByRole('link', { name: 'Add to the list: new' }).click();
    const cell = page.getByLabel('MaterialCode of new', { exact: true });
    await expectSoon(() => cell.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.goto(page.url().replace(/#.*/, '#/findings?scope=list:PurchaseOrders&kind=unlisted-order'));
    await rows(page).getByRole('link', { name: 'Add to the list: OT1234567' }).press('Enter');
    await page.getByLabel('PurchaseOrder of OT1234567', { exact: true }).waitFor();
  });

  test('are searched by words, and lead to their batch', async () => {
    const page = await open('#/findings');
    await page.getByLabel('Search').fill('halved east');
    await expectText(counted(page), '1 finding');
    await rows(page).getByRole('link', { name: 'Batch of' }).click();
    await expectHash(page, /^#\/batches\/east\/\d{4}-/);
  });

  test('about lateness lead to a warehouse, about a unit to materials', async () => {
    const page = await open('#/findings?search=late');
    await rows(page).getByRole('link', { name: 'north' }).last().click();
    await expectHash(page, '#/batches/north');
    const data = { subject: 'KG', from: 'usual spelling', usual: 'kg', usualCount: 2, count: 1 };
    const columns = ['Kind', 'Subject', 'Detail'].map((name) => ({ name, title: name, kind: 'text' }));
    const found = [['unit-differs', 'KG', JSON.stringify({ kind: 'unit-differs', data })]];
    const json = { columns, rows: found, first: 0, hasMore: false };
    await page.route(/tables.findings\?/, (route) => route.fulfill({ json }));
    await page.goto(page.url().replace(/#.*/, '#/findings?search=spelling'));
    await rows(page).getByRole('link', { name: 'KG' }).click();
    await expectHash(page, '#/materials?unit=KG');
  });

  test('that stand for one other finding lead to their kind', async () => {
    const page = await open('#/findings');
    await page.route(/tables.findings\?.*other/, async (route) => {
      const json = await (await route.fetch({ url: route.request().url().replace('other', '') })).json();
      const names = json.columns.map(({ name }: { name: string }) => name);
      const [kind, subject, detail] = ['Kind', 'Subject', 'Detail'].map((name) => names.indexOf(name));
      const others = JSON.stringify({ kind: 'unlisted-code', data: { others: 1 } });
      const row = json.rows[0].with(kind, 'unlisted-code').with(subject, '1 more').with(detail, others);
      await route.fulfill({ json: { ...json, rows: [row] } });
    });
    await page.getByLabel('Search').fill('other');
    await rows(page).getByRole('link', { name: '1 more' }).waitFor();
    expect(await rows(page).getByRole('link', { name: /^Add/ }).count()).toBe(0);
    await rows(page).getByRole('link', { name: '1 more' }).click();
    await expectHash(page, '#/findings?kind=unlisted-code');
  });

  test('are read again once if the stock changes during a read', async () => {
    const page = await open('#/findings');
    let [reads, readsMeanwhile] = [0, 0];
    await changeState(page, () => ({ version: Math.min(reads, 1) }));
    await page.route(/tables.findings\?.*halved/, async (route) => {
      reads += 1;
      if (reads > 1) return route.continue();
      await readState(page);
      readsMeanwhile = reads;
      return route.fulfill({ json: { columns: [], rows: [], first: 0, hasMore: false } });
    });
    await readState(page);
    await page.getByLabel('Search').fill('halved east');
    await expectSoon(() => rows(page).count()).toBe(1);
    expect([readsMeanwhile, reads]).toEqual([1, 2]);
  });
});

const showAsOf = async (page: Page, time: string) => {
  await page.getByLabel('As of').fill(time);
  await page.keyboard.press('Enter');
  await page.getByText(`stock as of ${time.replace('T', ' ')}`).waitFor();
  expect(await page.locator('input:focus').inputValue()).toBe(time);
};

describe('a moment', () => {
  test('of yesterday shows the states of then', async () => {
    const page = await open('#/overview');
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 16);
    await showAsOf(page, yesterday);
    await cardOf(page, 'south').getByText('come in t instead of kg').waitFor();
    expect(await cardOf(page, 'north').getByText('No batch').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Told|Known|Write|Undo)/ }).count()).toBe(0);
    await expectAccessible(page);
    await press(page, 'Show the latest stock');
    await page.locator('h1:focus').waitFor();
    expect(await page.getByLabel('As of').inputValue()).not.toBe(yesterday);
  });

  test.each([1_280, 360])('stays on every page, by keyboard, but on Clients: %i px', async (width) => {
    const page = await open('#/overview', { viewport: { width, height: 740 } });
    await page.keyboard.press('Tab');
    await page.locator(':focus', { hasText: 'Skip to the content' }).press('Enter');
    await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
    // The address follows, also if the clock is set back.
    await page.clock.setFixedTime(Date.now() - DAY_MS);
    await showAsOf(page, '2020-01-01T12:00');
    for (const title of ['Lists', 'Findings', 'History', 'Compare', 'Reports', 'Clients', 'Materials']) {
      await page.getByRole('navigation').getByRole('link', { name: title }).press('Enter');
      await page.locator('h1:focus', { hasText: title }).waitFor();
      expect(await page.title()).toBe(`${title} · Warehouse console`);
      // In the bar, and above the content.
      await expectSoon(() => page.getByText('2020-01-01 12:00').count()).toBe(title === 'Clients' ? 0 : 2);
    }
    await page.waitForURL(/#\/materials\?at=2020-01-01T11%3A00%3A00Z$/);
    await expectText(counted(page), '0 balances');
    await press(page, 'Show the latest stock');
    await page.getByRole('link', { name: 'Kabel-8/001' }).first().waitFor();
  });

  test('that is typed in part stays while the stock is read', async () => {
    const page = await open('#/overview');
    await page.getByLabel('As of').press('Backspace');
    await page.clock.setFixedTime(Date.now() + MINUTE_MS);
    await readState(page);
    await page.waitForFunction("document.querySelector('input:invalid')?.validity.badInput");
  });

  test('in the future is refused, until another is chosen', async () => {
    const page = await open('#/overview', { expected: isBad });
    await page.evaluate("location.hash = '#/overview?at=2199-01-01T00:00:00Z'");
    await page.getByText('2199-01-01 01:00 is in the future').waitFor();
    await page.getByText('This time is in the future.').waitFor();
    expect(await page.getByText('This is the stock as of').count()).toBe(0);
    await expectAccessible(page);
    await showAsOf(page, '2020-01-01T12:00');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await press(page, 'Show the latest stock');
    await cardOf(page, 'north').waitFor();
  });
});

const WEEK_AGO = new Date(Date.now() - 7 * DAY_MS).toISOString();
/** What a person opens, and the buttons that lead on from there. */
const views = [
  ['#/overview'],
  ['#/overview', 'Told'],
  ['#/overview', 'Known until…'],
  ['#/overview', 'Write to south'],
  ['#/findings?severity=error&state=open&scope=south'],
  ['#/findings?scope=list:MaterialCodes&kind=unlisted-code'],
  ['#/findings?search=halved'],
  [`#/compare?before=${WEEK_AGO}`, 'Only differences'],
  ['#/reports', 'Materials that nobody has sent for … days'],
  ['#/clients?add=client'],
  ['#/clients?edit=south'],
  ['#/clients?edit=south', 'New password…'],
];

test.each(['de-DE', 'ru-RU'])(
  'each view is reached by keyboard, and accessible on a phone: %s',
  async (locale) => {
    const page = await open('#/reports', { locale, viewport: { width: 360, height: 740 } });
    for (const [hash, ...buttons] of views) {
      await page.goto(page.url().replace(/#.*/, `${hash}`));
      await page.reload();
      for (const name of buttons)
        await page.getByRole('button', { name, exact: true }).first().press('Enter');
      await page.locator('footer').waitFor();
      await page.getByText('Reading…').first().waitFor({ state: 'detached' });
      await expectAccessible(page);
    }
  },
);

const FILTER = /^Filter: (severity error|before \d{4}-\d\d-\d\d \d\d:\d\d)\.$/;

test.each([
  { hash: '#/overview', part: '.work > li', filters: 0 },
  { hash: '#/findings?severity=error', part: '.work > li', filters: 1 },
  { hash: `#/compare?before=${WEEK_AGO}`, part: '.stock', filters: 1 },
])('a print of $hash has its filter, whole cards and no controls', async ({ hash, part, filters }) => {
  const page = await open(hash);
  await page.locator(part).first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const controls = page.locator('button:not(.sort), input, select, nav a, .new, [href*="add="]');
  expect(await controls.filter({ visible: true }).count()).toBe(0);
  const texts = await page.getByText('Filter:').filter({ visible: true }).allInnerTexts();
  expect(texts).toEqual(Array(filters).fill(expect.stringMatching(FILTER)));
  // No two cards of this height fit on a sheet.
  await page.addStyleTag({ content: '.work > li { height: 110mm; }' });
  const sheets = String(await page.pdf({ preferCSSPageSize: true })).match(/\/Type \/Page\n/g) ?? [];
  const cards = page.locator('.work > li').filter({ visible: true });
  expect(sheets.length).toBeGreaterThanOrEqual(await cards.count());
});

test('no script can put a text into the page as HTML', async () => {
  const page = await open('#/overview', { expected: /TrustedHTML/ });
  const put = `document.querySelector('h1').innerHTML = '<img src=x>'`;
  await expect(page.evaluate(put)).rejects.toThrow(/requires 'TrustedHTML'/);
  expect(await page.locator('h1 img').count()).toBe(0);
});

const sqlOf = (page: Page) => page.getByLabel('Query in SQL');
const run = async (page: Page, sql: string) => {
  await sqlOf(page).fill(sql);
  await press(page, 'Run');
};
const expectTitles = (page: Page, titles: string[]) =>
  expectSoon(() => page.getByRole('columnheader').allInnerTexts()).toEqual(titles);

describe('a query in SQL', () => {
  test('with an error says so, and neither waits nor offers its rows', async () => {
    const page = await open('#/reports/SQL', { expected: isBad });
    const offers = page.getByText(/^(Download|Print) these rows/);
    await run(page, 'select nope');
    await page.getByRole('alert').getByText('no such column: nope').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    expect(await offers.count()).toBe(0);
    await expectAccessible(page);
    await run(page, 'select 7 as found');
    await rows(page).getByText('7', { exact: true }).waitFor();
    expect(await offers.count()).toBe(2);
  });

  test('in the address runs only when it is asked for', async () => {
    const page = await open('#/reports/SQL?at=2020-01-01T00:00:00Z&sql=select count(*) from balance');
    await page.getByRole('button', { name: 'Run' }).waitFor();
    expect(await rows(page).count()).toBe(0);
    await press(page, 'Run');
    await expectText(rows(page).first(), '0');
    await sqlOf(page).fill('select 1234.5 as Total, null as Empty');
    await press(page, 'Show the latest stock');
    await sqlOf(page).press('Control+Enter');
    await expectText(rows(page).first(), /^1\u202f234,5/);
    await expectAccessible(page);
    await page.waitForURL(/Total/);
    await page.reload();
    await press(page, 'Run');
    await expectTitles(page, ['Total', 'Empty']);
  });

  test('runs again when asked, and not when the stock changes', async () => {
    const page = await open('#/reports/SQL');
    await run(page, 'select random() as Now');
    const before = await rows(page).first().innerText();
    await page.route(/tables.query/, (route) => route.abort());
    await changeState(page, () => ({ version: -1 }));
    await readState(page);
    await page.unrouteAll();
    expect(await rows(page).first().innerText()).toBe(before);
    await press(page, 'Run');
    await expectSoon(() => rows(page).first().innerText()).not.toBe(before);
  });

  test('that takes long is stopped, and an example runs instead', async () => {
    const page = await open('#/reports/SQL');
    await run(page, 'with recursive n as (select 1 as n union all select n + 1 from n) select sum(n) from n');
    await press(page, 'Stop and clear');
    await page.getByText('Reading…').waitFor({ state: 'detached' });
    await page.getByRole('listitem').getByRole('button').first().click();
    await page.getByText(/^[\d\u202f]+ rows?$/).waitFor();
  });

  test('is cleared by its link, and Back brings it without a run', async () => {
    const page = await open('#/reports/SQL');
    await run(page, 'select 1 as One');
    await expectTitles(page, ['One']);
    await page.waitForURL(/One/);
    await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('link', { name: 'Write another one in SQL' }).click();
    await expectSoon(() => sqlOf(page).inputValue()).toBe('');
    await run(page, 'select 2 as Two');
    await expectTitles(page, ['Two']);
    // In between is the page of the reports.
    for (const _ of [1, 2]) await page.goBack();
    await expectHash(page, '#/reports/SQL?sql=select+1+as+One');
    await expectTitles(page, []);
    expect(await sqlOf(page).inputValue()).toBe('select 1 as One');
  });

  test('with a parameter waits for its value, and explains a comma', async () => {
    const page = await open('#/reports');
    await page.getByRole('button', { name: 'Materials that nobody has sent for … days' }).click();
    expect(await sqlOf(page).count()).toBe(0);
    const days = page.getByLabel('days');
    await days.fill('1,5');
    await page.getByText('The value of days is the text 1,5. For a number, write 1.5.').waitFor();
    await expectAccessible(page);
    await days.fill('0.5');
    expect(await page.getByText('For a number').count()).toBe(0);
    await days.press('Enter');
    await expectTitles(page, ['material', 'last_received']);
    await page.waitForURL(/%3Adays=0\.5&sql=/);
    await page.reload();
    expect(await days.inputValue()).toBe('0.5');
  });

  test('keeps the focus while a parameter is typed', async () => {
    const page = await open('#/reports/SQL');
    await sqlOf(page).pressSequentially('select :days as Days');
    expect(await sqlOf(page).inputValue()).toBe('select :days as Days');
    await page.getByLabel('days', { exact: true }).waitFor();
  });

  test('has the views and their documentation beside it', async () => {
    const page = await open('#/reports/SQL');
    await page.getByText('Views').click();
    await page.getByText('warehouse, received_at, timestamp, request_id').waitFor();
    expect(await linkOf(page, 'Documentation').getAttribute('href')).toBe('api/query/manual');
  });
});

describe('a console', () => {
  const expected = /Failed to load resource/;

  test('whose response is cut off is reported, and tried again', async () => {
    const page = await open('#/clients', { expected });
    const alert = page.getByRole('alert').first();
    await page.route(/tables/, (route) => route.fulfill({ body: '{ "columns": [' }));
    await page.reload();
    await alert.getByText('The response of the console is not complete.').waitFor();
    expect(await page.getByRole('button', { name: 'Show the first rows in the usual order' }).count()).toBe(
      0,
    );
    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expectSoon(() => rows(page).count()).toBe(4);
  });

  test('that does not respond is reported, and the data stay', async () => {
    const page = await open('#/clients', { expected });
    const alert = page.getByRole('alert').first();
    await expectSoon(() => rows(page).count()).toBe(4);
    await page.route(/api/, (route) => route.abort());
    await expectText(alert, /does not respond/);
    expect(await rows(page).count()).toBe(4);
    await page.unrouteAll();
    await alert.waitFor({ state: 'detached' });
  });
});

// Comes last, because the other tests have no refused batch.
test('a refused batch is on the card, and what is not counted', async () => {
  const page = await open('#/overview');
  await sendBatch([{ MaterialCode: 'A', StockBalance: '1' }], 400);
  await expectText(
    cardOf(page, 'warehouse'),
    /Refused 1 time in the last day: StockBalance is not a number \(not counted: wrong password, too large, too often\)/,
  );
  await cardOf(page, 'warehouse').getByText('Refused 1 time').press('Enter');
  await expectText(rows(page).first(), /StockBalance must be a JSON number, without quotes\./);
  await page.goto(page.url().replace(/\?/, `?at=${new Date(Date.now() - DAY_MS).toISOString()}&`));
  await page.getByText('This is the stock as of').waitFor();
  await expectText(counted(page), '0 findings');
});
