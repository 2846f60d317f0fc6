import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { parseWorkbook } from '../../admin/lists/files/parse-workbook.ts';
import { toPlain } from '../../shared/clients/client.ts';
import { DAY_MS } from '../../shared/time.ts';
import { clientItems } from '../admin/tables.ts';
import { says } from './lists-page.ts';
import { counted, dialogIsGone, expectSoon, expectText, pickFile, rows, startConsole } from './open-page.ts';

const { open, put, sendBatch } = startConsole();

const BATCH = [{ MaterialCode: 'Śruba-7/901', StockBalance: 0.085, PurchaseOrders: ['OT4500017'] }];

beforeAll(async () => {
  const [item] = clientItems([{ Client: 'fine', SilenceHours: 0 }]);
  await put('Clients', toPlain(item ?? {}));
  await sendBatch(BATCH);
});

/** Begins on the first page, and counts the clicks and the keys of a person. A person types a date without its signs. */
const begin = async (media?: Parameters<typeof open>[1]) => {
  const page = await open('#/overview', media);
  await page.locator('.work').first().waitFor();
  const took = { clicks: 0, keys: 0 };
  return {
    page,
    took,
    click: async (...elements: Locator[]) => {
      for (const element of elements) {
        took.clicks += 1;
        await element.click();
      }
    },
    /** Types into the element that a person has clicked, or that has the focus. */
    type: async (text: string, element = page.locator('input:focus')) => {
      took.keys += text.replaceAll(/(?<=\d)[-:T](?=\d)/g, '').length;
      await element.fill(text);
    },
    press: async (key: string) => {
      took.keys += 1;
      await page.keyboard.press(key);
    },
  };
};

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const cardOf = (page: Page, name: string) =>
  page.locator('.work > li', { has: page.getByRole('link', { name, exact: true }) });
const FILE = 'Import a file: choose a file or drop it here (a file may add columns)';

/** A time so many days ago, as a field has it. */
const daysAgo = (days: number) => `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}T09:00`;
const clipboardOf = async (page: Page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return () => page.evaluate(() => navigator.clipboard.readText());
};

test('in the morning: who needs somebody, what is new, what is fine', async () => {
  const { page, took, click } = await begin();
  await page.clock.setFixedTime(Date.now() + DAY_MS);
  await sendBatch([{ ...BATCH[0], StockBalanceUnit: 't' }]);
  await page.reload();
  await page.getByText(/^\d+ lines? new since you last looked\.$/).waitFor();
  await cardOf(page, 'warehouse').locator('.new').first().waitFor();
  await expectText(cardOf(page, 'south'), /6 materials come in t instead of kg since \d/);
  await page.getByText('Kabel8/002 (sent by south; did you mean Kabel-8/002?)').waitFor();
  await click(page.getByText(/^Everything else is fine: \d/));
  await page.getByRole('link', { name: 'fine', exact: true }).waitFor();
  expect(took).toEqual({ clicks: 1, keys: 0 });
});

test('a message is written to a warehouse, copied and mailed', async () => {
  const { page, took, click } = await begin({ expected: /mailto/ });
  await page.evaluate(
    `fetch('api/clients/south', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: '{"action":"set","contact":"lager@example.com","language":"de"}' })`,
  );
  const read = await clipboardOf(page);
  await click(button(page, 'Write to south'));
  const text = page.getByRole('dialog').getByLabel('Text');
  await expectSoon(() => text.inputValue()).toMatch(/^Guten Tag south,.*6 Materialien/s);
  await click(button(page, 'Copy'), page.getByRole('link', { name: 'Mail' }));
  expect(await read()).toBe(await text.inputValue());
  expect(took).toEqual({ clicks: 3, keys: 0 });
});

test('a warehouse was told of one thing, and another is known', async () => {
  const { page, took, click, type, press } = await begin();
  const lines = page.locator('.work .findings li');
  await click(button(lines.filter({ hasText: '44 of 110' }), 'Told'));
  await type('Anna calls');
  await press('Enter');
  await dialogIsGone(page);
  await click(button(lines.filter({ hasText: 'balances have codes' }), 'Known until…'));
  await type(`${new Date().getFullYear() + 1}-12-05`);
  await press('Enter');
  await page.getByText('1 told, 1 known until 5 Dec').waitFor();
  expect(took).toEqual({ clicks: 2, keys: 20 });
});

test('two dates of a warehouse become one workbook', async () => {
  const { page, took, click, type, press } = await begin();
  await click(menu(page, 'Compare'), page.getByLabel('Before'));
  await type(daysAgo(20));
  await press('Tab');
  await type(daysAgo(2), page.getByLabel('After'));
  await press('Enter');
  await click(button(page, 'south'));
  const saved = page.waitForEvent('download');
  await click(button(page.locator('.download', { hasText: 'all of this' }), 'XLSX'));
  const { sheet, sheetCount, rows: lines } = await parseWorkbook(readFileSync(await (await saved).path()));
  expect({ sheet, sheetCount }).toEqual({ sheet: 'Units', sheetCount: 3 });
  const titles = ['Stock of', 'Before', 'After', 'Warehouses', 'Search', '', 'Unit', 'kg', 'm', 't'];
  expect(lines.map(([title]) => title)).toEqual(titles);
  expect(lines[3]?.slice(0, 2)).toEqual(['Warehouses', 'south']);
  expect(took).toEqual({ clicks: 4, keys: 26 });
});

test('a client is added and handed over', async () => {
  const { page, took, click, type, press } = await begin();
  const read = await clipboardOf(page);
  await click(menu(page, 'Clients'), button(page, 'Add a client'));
  await type('west');
  await press('Enter');
  await click(button(page, 'Copy all'));
  const [password, url] = await Promise.all(
    ['Password', 'Base URL'].map((name) => page.getByLabel(name, { exact: true }).inputValue()),
  );
  await click(button(page, 'Close'));
  expect(await read()).toBe(`User name: west\nPassword: ${password}\nBase URL: ${url}`);
  expect(took).toEqual({ clicks: 4, keys: 5 });
});

test('a client gets a new password, and is locked', async () => {
  const { page, took, click, press } = await begin();
  const read = await clipboardOf(page);
  await click(menu(page, 'Clients'), button(page, 'Edit east'), button(page, 'New password…'));
  await press('Enter');
  await click(button(page, 'Yes'), button(page, 'Copy all'), button(page, 'Close'));
  expect(await read()).toMatch(/^User name: east\nPassword: \w{32}\n/);
  await dialogIsGone(page);
  await click(button(page, 'Edit east'), button(page, 'Lock'));
  await page.getByText('east is locked.').waitFor();
  await click(button(page, 'Close'));
  expect(took).toEqual({ clicks: 9, keys: 1 });
});

test('a purchase order is found where it is and was used', async () => {
  const { page, took, click, type } = await begin();
  await click(menu(page, 'Materials'), page.getByLabel('Purchase order'));
  await type('OT4500017');
  await click(button(page, 'Uses of orders'));
  await expectText(counted(page), /^\d+ uses$/);
  await expectText(rows(page).filter({ hasText: 'Śruba-7/901' }), /OT4500017/);
  expect(took).toEqual({ clicks: 3, keys: 9 });
});

test('a report is asked with its field', async () => {
  const { page, took, click, type, press } = await begin();
  await click(menu(page, 'Reports'), button(page, 'Materials that nobody has sent for … days'));
  await type('0');
  await press('Enter');
  await expectText(counted(page), /^[\d\u202f]+ rows$/);
  expect(took).toEqual({ clicks: 2, keys: 2 });
});

test('a past moment is shown, and then the latest stock', async () => {
  const { page, took, click, type, press } = await begin();
  await click(page.getByLabel('As of'));
  await type(daysAgo(10));
  await press('Enter');
  await page.getByText(`This is the stock as of ${daysAgo(10).replace('T', ' ')}`).waitFor();
  await click(button(page, 'Show the latest stock'));
  await page.getByText('This is the stock as of').waitFor({ state: 'detached' });
  expect(took).toEqual({ clicks: 2, keys: 13 });
});

test('the balances of a search are printed', async () => {
  const { page, took, click, type } = await begin();
  await page.evaluate(
    "printed = 0; print = () => { printed = document.querySelectorAll('tr.entry').length; }",
  );
  await click(menu(page, 'Materials'), page.getByLabel('Search'));
  await type('rohr');
  await expectText(counted(page), /^\d\d balances$/);
  await click(button(page, 'Print these rows'));
  await expectSoon(() => page.evaluate('printed')).toBe(Number.parseInt(await counted(page).innerText(), 10));
  expect(took).toEqual({ clicks: 3, keys: 4 });
});

test('an import is written and undone', async () => {
  const { page, took, click } = await begin();
  await pickFile(page, 'MaterialCode;Weight:number\nNeu-1;1234,5\n');
  await click(menu(page, 'Lists'), page.getByLabel(FILE), button(page, 'Write 1 row'));
  await click(button(page, 'Undo this import'), button(page, 'Write 1 row'));
  await says(page, 'Written: 1 removed.');
  await click(button(page, 'Close'));
  expect(took).toEqual({ clicks: 6, keys: 0 });
});

test('a look-alike in a file is warned of, and not written', async () => {
  const { page, took, click } = await begin();
  await pickFile(page, 'MaterialCode\n\u041aabel-8/013\n');
  await click(menu(page, 'Lists'), page.getByLabel(FILE));
  await page.getByRole('dialog').locator('mark', { hasText: 'К (Cyrillic)' }).waitFor();
  expect(await button(page, 'Write 1 row').isDisabled()).toBe(true);
  await click(button(page, 'Close'));
  expect(took).toEqual({ clicks: 3, keys: 0 });
});

test('a balance and a code without its accents are searched', async () => {
  const { page, took, click, type } = await begin();
  const codes = () => page.locator('tr.entry > th').allInnerTexts();
  await click(menu(page, 'Materials'), page.getByLabel('Search'));
  await type('0,085');
  await expectSoon(codes).toContain('Śruba-7/901');
  await type('sruba 901');
  await expectSoon(codes).toEqual(['Śruba-7/901']);
  expect(took).toEqual({ clicks: 2, keys: 14 });
});
