import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { eventually, expectAccessible, isAskedToStay, press, startConsole } from './open-page.ts';

const { open } = startConsole();

const CODES = '#/lists/codes';
const cellOf = (page: Page, attribute: string, code: string) =>
  page.getByRole('textbox', { name: `${attribute} of ${code}`, exact: true });
const bar = (page: Page) => page.getByLabel('Changes that are not written yet');
const pending = (page: Page) => bar(page).getByRole('status');
const says = (page: Page, text: string) =>
  page.getByRole('dialog').getByText(text, { exact: true }).waitFor();
/** The changes that a review shows. */
const reviewed = (page: Page) =>
  eventually(() => page.getByRole('dialog').locator('tr.entry').allInnerTexts());

test('rows are changed, added and removed with the keyboard alone, and written after a confirmation', async () => {
  const page = await open(CODES);
  const { keyboard } = page;
  const changed = cellOf(page, 'Name', 'Kabel-8/001');
  await changed.focus();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('<img src=x onerror=boom()>');
  await keyboard.press('Escape');
  await keyboard.press('End');
  await keyboard.type(' new');
  await keyboard.press('Enter');
  await eventually(() => changed.inputValue()).toBe('Kabel 1 mm² new');
  await eventually(() => pending(page).innerText()).toBe('Not written yet: changes to 1 row');
  const isSeen = (element: Element, isAtStart: boolean) => {
    element.scrollIntoView(isAtStart);
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  // Neither the bars nor the headings cover what gets the focus.
  expect(await cellOf(page, 'Name', 'Kabel-8/009').evaluate(isSeen, false)).toBe(true);
  expect(await cellOf(page, 'Name', 'Kabel-8/015').evaluate(isSeen, true)).toBe(true);
  expect(await page.getByLabel('Search').evaluate(isSeen, true)).toBe(true);

  const add = async (code: string) => {
    await page.getByLabel('MaterialCode of a new row').focus();
    await keyboard.type(code);
    await keyboard.press('Enter');
  };
  await press(page, 'Remove Kabel-8/002');
  const removed = page.locator('tr.removed td').first();
  expect(await removed.evaluate((cell) => getComputedStyle(cell).textDecorationLine)).toBe('line-through');
  await press(page, 'Remove Kabel-8/009');
  await add('Kabel-8/009');
  await page.getByText('Kabel-8/009 was marked as removed. It stays in the list now').waitFor();
  await add('Kabel-8/003');
  await page.getByRole('status').getByText('Kabel-8/003 already has a row. Search for it').waitFor();
  await add(' ');
  await page.locator('input:invalid').waitFor();
  await add('A-Gone');
  await press(page, 'Remove A-Gone');
  await page.locator('.scroll:focus').waitFor();
  await add('A-New');
  await cellOf(page, 'Name', 'A-New').focus();
  await keyboard.type('<b>new</b>');
  await keyboard.press('Shift+Enter');
  await eventually(() => pending(page).innerText()).toBe('Not written yet: changes to 3 rows');
  await expectAccessible(page);

  // The changes stay while other pages are looked at.
  await page.getByRole('link', { name: 'Findings' }).click();
  await page.getByRole('link', { name: 'Lists' }).click();
  expect(await isAskedToStay(page)).toBe(true);

  await press(page, 'Review');
  await says(page, 'To write: 1 added, 1 changed and 1 removed.');
  await expectAccessible(page);
  await page.locator('h2:focus').waitFor();
  await reviewed(page).toContain('added\tA-New\tName\t\t<b>new</b>');
  await reviewed(page).toContain('changed\tKabel-8/001\tName\tKabel 1 mm²\tKabel 1 mm² new');
  await press(page, 'Write 3 rows');
  await says(page, 'Written: 1 added, 1 changed and 1 removed.');
  await press(page, 'Close');
  await page.locator('h1:focus').waitFor();
  await page.getByText('Kabel-8/002').waitFor({ state: 'detached' });
  await eventually(() => cellOf(page, 'Name', 'A-New').inputValue()).toBe('<b>new</b>');
  await pending(page).waitFor({ state: 'detached' });
});

test('a number is taken with either decimal sign, one with two readings has to be chosen, and errors are shown', async () => {
  const page = await open(CODES, { locale: 'ru-RU', expected: /400 \(Bad Request\)/ });
  const weightOf = (code: string) => cellOf(page, 'Weight', `Kabel-8/${code}`);
  await weightOf('012').fill('1,5\n\n');
  await weightOf('013').fill('2.5');
  await weightOf('014').fill('1.234');
  const review = page.getByRole('button', { name: 'Review' });
  await page.getByText('Choose which number is meant: Kabel-8/014').waitFor();
  expect(await review.isDisabled()).toBe(true);
  const colour = () => review.evaluate((button) => getComputedStyle(button).backgroundColor);
  const disabled = await colour();
  await page.getByRole('group', { name: 'Which number is 1.234?' }).getByText('1,234').waitFor();
  await expectAccessible(page);
  await press(page, 'Weight of Kabel-8/014 is 1\u202f234');
  await eventually(() => page.locator('textarea:focus').inputValue()).toBe('1234');
  await eventually(colour).not.toBe(disabled);
  await press(page, 'Review');
  await reviewed(page).toEqual([
    'changed\tKabel-8/012\tWeight\t1,02\t1,5',
    'changed\tKabel-8/013\tWeight\t1,105\t2,5',
    'changed\tKabel-8/014\tWeight\t1,19\t1\u202f234',
  ]);
  await press(page, 'Close');
  await weightOf('013').fill('7\t8');
  await weightOf('014').fill('1,5,5');
  await press(page, 'Review');
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert.getByText(/2 errors.* such as 7,85\n"Kabel-8\/014": column "Weight"/s).waitFor();
  await press(page, 'Discard all changes');
  await pending(page).waitFor({ state: 'detached' });
  await eventually(() => weightOf('012').inputValue()).toBe('1,02');
});

test('a chosen file shows its changes, is imported after a confirmation, and a download shows its notices; a read-only page has no controls that write', async () => {
  const page = await open(CODES);
  const buffer = Buffer.from('MaterialCode;Name;Länge:number\nImported-1;1-2;2,5\nKabel-8/005;Kabel;\n');
  await page.getByLabel('Import a file').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer });
  await says(page, 'To write: 1 added and 1 changed.');
  const choice = page.getByLabel('Rows and attributes that are not in the file');
  await choice.selectOption('Are removed');
  await page.getByText(/^To write: 1 added, 1 changed and \d+ removed\.$/).waitFor();
  await choice.selectOption('Stay');
  await press(page, 'Write 2 rows');
  await says(page, 'Written: 1 added and 1 changed.');
  await press(page, 'Close');
  await page.getByRole('button', { name: 'CSV with 0.5' }).first().click();
  await page.getByText('1 text looks like a number or a date').waitFor();
  const body = '<html data-read-only="true"><body><script src="console.js"></script>';
  await page.route(/\/$/, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.reload();
  await page.getByText('Kabel-8/007', { exact: true }).waitFor();
  expect(await page.locator('main :is(input:not([type=search]), textarea, form, td button)').count()).toBe(0);
});

const WRONG = 'MaterialCode;Weight:number\nFixed-1;heavy\n';
const RIGHT = 'MaterialCode;Weight:number\nFixed-1;7,5\n';
const KIND = 'Rows and attributes that are not in the file';

/** Drops a file of this machine, as from the desktop. */
const dropFile = async (page: Page, file: string) => {
  const { x = 0, y = 0 } = (await page.getByLabel('Import a file').boundingBox()) ?? {};
  const debug = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await debug.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
};

test('a file that was fixed after a review is read again, whether it was dropped or chosen', async () => {
  const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
  const expectReadAgain = async (fix: () => unknown) => {
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/"heavy" is not a number/)
      .waitFor();
    await fix();
    await press(page, 'Review again');
    await says(page, 'To write: 1 added.');
    await reviewed(page).toContain('added\tFixed-1\tWeight\t\t7,5');
    await page.getByLabel(KIND).selectOption('Are removed');
    await page.getByText(/^To write: 1 added and \d+ removed\.$/).waitFor();
    await press(page, 'Close');
  };
  const file = join(temporaryFolder(), 'fixed.csv');
  writeFileSync(file, WRONG);
  await dropFile(page, file);
  await expectReadAgain(() => writeFileSync(file, RIGHT));
  await dropFile(page, file);
  await says(page, 'To write: 1 added.');
  rmSync(file);
  await page.getByLabel(KIND).selectOption('Are removed');
  await page
    .getByText('fixed.csv cannot be read. Is it still there, and closed in other programs?')
    .waitFor();
  await press(page, 'Close');
  // A browser without a window has no dialog to choose a file, but the same handles.
  const write = (text: string) =>
    page.evaluate(async (text) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('fixed.csv', { create: true });
      const writable = await handle.createWritable();
      await writable.write(text);
      await writable.close();
      Object.assign(window, { showOpenFilePicker: async () => [handle] });
    }, text);
  const dialogs: unknown[] = [];
  page.on('filechooser', (dialog) => dialogs.push(dialog));
  await write(WRONG);
  await page.getByLabel('Import a file').press('Enter');
  await expectReadAgain(() => write(RIGHT));
  // The browser's own way would open a second dialog.
  expect(dialogs).toEqual([]);
});

test('a file that the browser cannot read again is said in a sentence, and nothing is opened without a file', async () => {
  const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
  const file = join(temporaryFolder(), 'fixed.csv');
  writeFileSync(file, WRONG);
  await page.getByLabel('Import a file').setInputFiles(file);
  await page
    .getByRole('dialog')
    .getByText(/"heavy" is not a number/)
    .waitFor();
  writeFileSync(file, RIGHT);
  await press(page, 'Review again');
  await page
    .getByText('fixed.csv cannot be read. If it has changed, close this and choose it again.')
    .waitFor();
  await press(page, 'Close');
  await page.evaluate(() => {
    Object.assign(window, { showOpenFilePicker: () => Promise.reject(new Error('The user closed it.')) });
  });
  await page.getByLabel('Import a file').press('Enter');
  await page.getByLabel('Import a file').setInputFiles([]);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('rows that somebody else has changed are named and kept until a new review, and the draft of a row is discarded alone', async () => {
  const page = await open(CODES);
  for (const code of ['006', '010']) await cellOf(page, 'Unit', `Kabel-8/${code}`).fill('mine');
  const json = { added: 0, changed: 1, removed: 0, conflicts: ['Kabel-8/006'] };
  await page.route(/reviews/, (route) => route.fulfill({ json }));
  await press(page, 'Review');
  await press(page, 'Write 2 rows');
  await page.getByText(/^Somebody else has changed Kabel-8.006 meanwhile\./).waitFor();
  await press(page, 'Review again');
  await reviewed(page).toEqual(['changed\tKabel-8/006\tUnit\tm\tmine']);
  await press(page, 'Close');
  await press(page, 'Remove Kabel-8/010');
  await page.getByText('Which rows?').press('Enter');
  await expectAccessible(page);
  await bar(page).getByRole('link', { name: 'Kabel-8/006' }).press('Enter');
  await page.getByText('1 row', { exact: true }).waitFor();
  await press(page, 'Discard Kabel-8/010');
  await page.locator('summary:focus').waitFor();
  await press(page, 'Discard Kabel-8/006');
  await page.locator('h1:focus').waitFor();
  await eventually(() => cellOf(page, 'Unit', 'Kabel-8/006').inputValue()).toBe('m');
});
