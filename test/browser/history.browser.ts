import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { importFile, says } from './lists-page.ts';
import {
  counted,
  dialogIsGone,
  expectAccessible,
  expectHash,
  expectSoon,
  expectText,
  press,
  startConsole,
} from './open-page.ts';

const { open } = startConsole();

const shown = (page: Page) => expectSoon(() => page.locator('tr.entry').allInnerTexts());

/** Writes what a review shows, with a tick at its warnings. */
const write = async (page: Page, planned: string, count: number) => {
  await says(page, `To write: ${planned}.`);
  for (const tick of await page.getByRole('dialog').getByRole('checkbox').all()) await tick.check();
  await press(page, `Write ${count} rows`);
  await says(page, `Written: ${planned}.`);
};

const close = async (page: Page) => {
  await press(page, 'Close');
  await dialogIsGone(page);
};

const goTo = (page: Page, hash: string) => page.goto(`${page.url().split('#')[0]}${hash}`);

test('an import is undone beside its success message', async () => {
  const page = await open('#/lists/codes');
  const text = 'MaterialCode;Name;Weight:number\nUndone-1;new;1234,5\nKabel-8/005;Kabel;0,425\n';
  await importFile(page, text);
  await write(page, '1 added and 1 changed', 2);
  await press(page, 'Undo this import');
  await write(page, '1 changed and 1 removed', 2);
  await page.getByRole('button', { name: 'Undo the undo' }).waitFor();
  await close(page);
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await shown(page).toEqual([
    expect.stringMatching(/material codes\tlocal\tundo\t\t0\t1\t0\t1/),
    expect.stringMatching(/material codes\tlocal\timport of a file\tcodes\.csv\t1\t1\t0\t0/),
  ]);
  await expectAccessible(page);
});

test('a change of the history is shown row by row', async () => {
  const page = await open('#/history');
  await page.locator('tr.entry a').last().click();
  await expectHash(page, /change=/);
  await shown(page).toEqual([
    expect.stringMatching(/Kabel-8\/005\tchanged\tName\tKabel 5 mm²\tKabel\t/),
    expect.stringMatching(/Undone-1\tadded\tName\t\tnew\t/),
    expect.stringMatching(/Undone-1\tadded\tWeight\t\t1\u202f234,5\t/),
  ]);
  await page.getByRole('link', { name: 'Undone-1' }).first().click();
  await expectHash(page, /id=Undone-1/);
  await shown(page).toHaveLength(4);
  await expectAccessible(page);
});

test.each([
  { locale: 'de-DE', timezoneId: 'Europe/Berlin' },
  { locale: 'ru-RU', timezoneId: 'Asia/Vladivostok' },
])('the history has the times and numbers of its reader: $locale', async ({ locale, timezoneId }) => {
  const page = await open('#/history', { locale, timezoneId });
  await expectText(counted(page), '2 changes');
  const imported = page.locator('tr.entry a').last();
  const at = new Date((await imported.locator('time').getAttribute('datetime')) ?? '');
  const time = at.toLocaleString('sv-SE', { timeZone: timezoneId, dateStyle: 'short', timeStyle: 'medium' });
  await expectText(imported, time);
  await imported.press('Enter');
  await shown(page).toContainEqual(expect.stringContaining('Undone-1\tadded\tWeight\t\t1\u202f234,5\t'));
  await page.getByRole('link', { name: 'All changes' }).press('Enter');
  await expectText(counted(page), '2 changes');
  await page.getByLabel('Who', { exact: true }).fill('nobody');
  await expectText(counted(page), '0 changes');
  await expectAccessible(page);
});

test('an undo in the history is undone there', async () => {
  const page = await open('#/history');
  const undo = page.getByRole('button', { name: /^Undo the change/ }).first();
  await undo.press('Enter');
  await write(page, '1 added and 1 changed', 2);
  await close(page);
  await shown(page).toHaveLength(3);
  // The focus does not go to the newest change, which is the undo.
  await expectSoon(() => undo.evaluate((button) => button === document.activeElement)).toBe(false);
  const focused = page.locator('tr.entry').nth(1).getByRole('button');
  expect(await focused.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a list of the past can only be read', async () => {
  const page = await open('#/history');
  const undone = await page.locator('tr.entry').nth(1).locator('time').first().getAttribute('datetime');
  await goTo(page, `#/lists/codes?at=${undone}`);
  await page.getByText('This is the stock as of').waitFor();
  await page.getByRole('cell', { name: 'Kabel 5 mm²' }).waitFor();
  expect(await page.getByText('Undone-1').count()).toBe(0);
  expect(await page.getByRole('textbox', { name: /^Name of/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'History of Kabel-8/005' }).click();
  await shown(page).not.toHaveLength(0);
});

test('a list before its history is that of now', async () => {
  const page = await open('#/lists/codes?at=2020-01-01T00:00:00.000Z');
  await page.getByText('The material codes are as of now, because their history begins at').waitFor();
  await page.getByText('The purchase orders are as of now, because they have no known past.').waitFor();
});
