import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { acceptWarnings, CODES, cellOf, importFile, pending, reviewed, says } from './lists-page.ts';
import {
  expectAccessible,
  expectSoon,
  expectText,
  isAskedToStay,
  pickFile,
  press,
  startConsole,
} from './open-page.ts';

const { open } = startConsole();

const bar = (page: Page) => page.getByLabel('Changes that are not written yet');

/** Neither the bars nor the headings cover it. */
const isSeen = (element: Element, isAtStart: boolean) => {
  element.scrollIntoView(isAtStart);
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

const addRow = async (page: Page, code: string) => {
  await page.getByLabel('MaterialCode of a new row').focus();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
};

const goTo = async (page: Page, name: string) => {
  await page.getByRole('link', { name }).click();
  await page.locator('h1', { hasText: name }).waitFor();
};

describe('the keyboard', () => {
  test('changes a cell, in which Escape restores the text', async () => {
    const page = await open(CODES);
    const { keyboard } = page;
    const changed = cellOf(page, 'Name', 'Kabel-8/001');
    await changed.focus();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('<img src=x onerror=boom()>');
    await keyboard.press('Escape');
    await keyboard.press('End');
    await keyboard.type(' new');
    await keyboard.press('Alt+Enter');
    await expectSoon(() => changed.inputValue()).toBe('Kabel 1 mm² new\n');
    await expectText(pending(page), 'Not written yet: changes to 1 row');
    expect(await cellOf(page, 'Name', 'Kabel-8/009').evaluate(isSeen, false)).toBe(true);
    expect(await cellOf(page, 'Name', 'Kabel-8/015').evaluate(isSeen, true)).toBe(true);
    expect(await page.getByLabel('Search').evaluate(isSeen, true)).toBe(true);
  });

  test('adds a row once, and brings a removed one back', async () => {
    const page = await open(CODES);
    await press(page, 'Remove Kabel-8/009');
    const removed = page.locator('tr.removed td').first();
    const lineOf = (cell: Element) => getComputedStyle(cell).textDecorationLine;
    expect(await removed.evaluate(lineOf)).toBe('line-through');
    await addRow(page, 'Kabel-8/009');
    await page.getByText('Kabel-8/009 was marked as removed. It stays in the list now').waitFor();
    await addRow(page, 'Kabel-8/003');
    await page.getByRole('status').getByText('Kabel-8/003 already has a row. Search for it').waitFor();
    await addRow(page, ' ');
    await page.locator('[name=identifier]:invalid').waitFor();
    await addRow(page, 'A-Gone');
    await press(page, 'Remove A-Gone');
    await page.locator('.scroll:focus').waitFor();
    await pending(page).waitFor({ state: 'detached' });
  });

  test('writes changes after a review, also from another page', async () => {
    const page = await open(CODES);
    await cellOf(page, 'Name', 'Kabel-8/001').fill('Kabel');
    await press(page, 'Remove Kabel-8/002');
    await addRow(page, 'A-New');
    await cellOf(page, 'Name', 'A-New').focus();
    await page.keyboard.type('<b>new</b>');
    await page.keyboard.press('Shift+Enter');
    await expectText(pending(page), 'Not written yet: changes to 3 rows');
    await expectAccessible(page);
    for (const name of ['Findings', 'Lists']) await goTo(page, name);
    expect(await isAskedToStay(page)).toBe(true);
    await press(page, 'Review');
    await says(page, 'To write: 1 added, 1 changed and 1 removed.');
    await page.locator('h2:focus').waitFor();
    await reviewed(page).toContain('added\tA-New\tName\t\t<b>new</b>');
    await reviewed(page).toContain('changed\tKabel-8/001\tName\tKabel 1 mm²\tKabel');
    await expectAccessible(page);
  });
});

test('a text that the page does not have whole cannot be edited', async () => {
  const page = await open(CODES);
  await cellOf(page, 'Name', 'Kabel-8/005').waitFor();
  await page.route(/tables.codes\?/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace('Kabel 5 mm²', `${'x'.repeat(1_000)}…`) });
  });
  await page.reload();
  await page.getByText('xxx…').waitFor();
  expect(await cellOf(page, 'Name', 'Kabel-8/005').count()).toBe(0);
});

describe('a number', () => {
  const weightOf = (page: Page, code: string) => cellOf(page, 'Weight', `Kabel-8/${code}`);

  test('is taken with either decimal sign', async () => {
    const page = await open(CODES, { locale: 'ru-RU' });
    await weightOf(page, '012').fill('1,5\n\n');
    await weightOf(page, '013').fill('2.5');
    await press(page, 'Review');
    await reviewed(page).toEqual([
      'changed\tKabel-8/012\tWeight\t1,02\t1,5',
      'changed\tKabel-8/013\tWeight\t1,105\t2,5',
    ]);
  });

  test('with two readings has to be chosen before a review', async () => {
    const page = await open(CODES, { locale: 'ru-RU' });
    await weightOf(page, '014').fill('1.234');
    await page.getByText('Choose which number is meant: Kabel-8/014').waitFor();
    const review = page.getByRole('button', { name: 'Review' });
    expect(await review.isDisabled()).toBe(true);
    const colour = () => review.evaluate((button) => getComputedStyle(button).backgroundColor);
    const disabled = await colour();
    await page.getByRole('group', { name: 'Which number is 1.234?' }).getByText('1,234').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await page.locator('button[aria-label="Weight of Kabel-8/014 is 1,234"]:focus').waitFor();
    await press(page, 'Weight of Kabel-8/014 is 1\u202f234');
    await expectSoon(() => page.locator('textarea:focus').inputValue()).toBe('1234');
    await expectSoon(colour).not.toBe(disabled);
    await press(page, 'Review');
    await reviewed(page).toEqual(['changed\tKabel-8/014\tWeight\t1,19\t1\u202f234']);
  });

  test('that is none is named in the review', async () => {
    const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
    await weightOf(page, '013').fill('7\t8');
    await weightOf(page, '014').fill('1,5,5');
    await press(page, 'Review');
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText(/2 errors.* such as 7,85\n"Kabel-8\/014": column "Weight"/s).waitFor();
    await press(page, 'Discard all changes');
    await pending(page).waitFor({ state: 'detached' });
    await expectSoon(() => weightOf(page, '013').inputValue()).toBe('1,105');
  });
});

const WRONG = 'MaterialCode;Weight:number\nFixed-1;heavy\n';
const RIGHT = 'MaterialCode;Weight:number\nFixed-1;7,5\n';

const keepOrRemove = (page: Page) => page.getByLabel('Rows and attributes that are not in the file');
const writeFile = (text: string) => {
  const file = join(temporaryFolder(), 'fixed.csv');
  writeFileSync(file, text);
  return file;
};

/** Drops a file of this machine, as from the desktop. */
const dropFile = async (page: Page, file: string) => {
  const { x = 0, y = 0 } = (await page.getByLabel('Import a file').boundingBox()) ?? {};
  const debug = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await debug.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
};

const isWrong = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/"heavy" is not a number/)
    .waitFor();

/** Reviews the file again, which is right now, with either choice. */
const reviewAgain = async (page: Page) => {
  await press(page, 'Review again');
  await says(page, 'To write: 1 added.');
  await reviewed(page).toContain('added\tFixed-1\tWeight\t\t7,5');
  await keepOrRemove(page).selectOption('Are removed');
  await page.getByText(/^To write: 1 added and \d+ removed\.$/).waitFor();
};

describe('a file', () => {
  const expected = /400 \(Bad Request\)/;

  test('is imported after a review that shows its changes', async () => {
    const page = await open(CODES);
    await importFile(page, 'MaterialCode;Name;Länge:number\nImported-1;1-2;2,5\nKabel-8/005;Kabel;\n');
    await says(page, 'To write: 1 added and 1 changed.');
    await keepOrRemove(page).selectOption('Are removed');
    await page.getByText(/^To write: 1 added, 1 changed and \d+ removed\.$/).waitFor();
    await keepOrRemove(page).selectOption('Stay');
    await press(page, 'Write 2 rows');
    await says(page, 'Written: 1 added and 1 changed.');
    await press(page, 'Close');
    await press(page, 'CSV with 0.5');
    await page.getByText('1 text looks like a number or a date').waitFor();
  });

  test.each([
    ['the whole list, to import it again', CODES],
    ['the rows that the search finds, to import them again', `${CODES}?search=kabel`],
  ])('from the download of %s has no change', async (content, hash) => {
    const page = await open(hash);
    await page.getByText(`Download ${content}:`).waitFor();
    for (const format of ['XLSX', 'CSV with 0,5']) {
      const saved = page.waitForEvent('download');
      await press(page, format);
      const file = join(temporaryFolder(), (await saved).suggestedFilename());
      await (await saved).saveAs(file);
      await page.getByLabel('Import a file').setInputFiles(file);
      await says(page, 'To write: nothing.');
      await press(page, 'Close');
    }
  });

  test('that was dropped, fixed and removed is read each time', async () => {
    const page = await open(CODES, { expected });
    const file = writeFile(WRONG);
    await dropFile(page, file);
    await isWrong(page);
    writeFileSync(file, RIGHT);
    await reviewAgain(page);
    rmSync(file);
    await keepOrRemove(page).selectOption('Stay');
    const words = 'fixed.csv cannot be read. Is it still there, and closed in other programs?';
    await page.getByText(words).waitFor();
  });

  test('that was chosen and fixed is read again, without a second dialog', async () => {
    const page = await open(CODES, { expected });
    const dialogs: unknown[] = [];
    page.on('filechooser', (dialog) => dialogs.push(dialog));
    await pickFile(page, WRONG);
    await page.getByLabel('Import a file').press('Enter');
    await isWrong(page);
    await pickFile(page, RIGHT);
    await reviewAgain(page);
    expect(dialogs).toEqual([]);
  });

  test('that the browser cannot read again is named in a sentence', async () => {
    const page = await open(CODES, { expected });
    const file = writeFile(WRONG);
    await page.getByLabel('Import a file').setInputFiles(file);
    await isWrong(page);
    writeFileSync(file, RIGHT);
    await press(page, 'Review again');
    const words = 'fixed.csv cannot be read. If it has changed, close this and choose it again.';
    await page.getByText(words).waitFor();
  });

  test('that is not chosen opens nothing', async () => {
    const page = await open(CODES);
    await page.evaluate(() => {
      Object.assign(window, { showOpenFilePicker: () => Promise.reject(new Error('The user closed it.')) });
    });
    await page.getByLabel('Import a file').press('Enter');
    await page.getByLabel('Import a file').setInputFiles([]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a read-only page has no controls that write', async () => {
  const page = await open(CODES);
  const body = '<html data-read-only="true"><body><script src="console.js"></script>';
  await page.route(/\/$/, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.reload();
  await page.getByText('Kabel-8/007', { exact: true }).waitFor();
  expect(await page.locator('main :is(input:not([type=search]), textarea, form, td button)').count()).toBe(0);
});

test('rows that somebody else has changed are named and kept', async () => {
  const page = await open(CODES);
  for (const code of ['006', '010']) await cellOf(page, 'Unit', `Kabel-8/${code}`).fill('mine');
  const json = { added: 0, changed: 1, removed: 0, conflicts: ['Kabel-8/006'] };
  await page.route(/reviews/, (route) => route.fulfill({ json }));
  await press(page, 'Review');
  await acceptWarnings(page);
  await press(page, 'Write 2 rows');
  await page.getByText(/^Somebody else has changed Kabel-8.006 meanwhile\./).waitFor();
  await press(page, 'Review again');
  await reviewed(page).toEqual(['changed\tKabel-8/006\tUnit\tm\tmine']);
  await press(page, 'Close');
  await expectText(pending(page), 'Not written yet: changes to 1 row');
});

test('the draft of a row is found and discarded alone', async () => {
  const page = await open(CODES);
  await cellOf(page, 'Unit', 'Kabel-8/006').fill('mine');
  await press(page, 'Remove Kabel-8/010');
  await page.getByText('Which rows?').press('Enter');
  await expectAccessible(page);
  await bar(page).getByRole('link', { name: 'Kabel-8/006' }).press('Enter');
  await page.getByText('1 row', { exact: true }).waitFor();
  await press(page, 'Discard Kabel-8/010');
  await page.locator('summary:focus').waitFor();
  await press(page, 'Discard Kabel-8/006');
  await page.locator('h1:focus').waitFor();
  await expectSoon(() => cellOf(page, 'Unit', 'Kabel-8/006').inputValue()).toBe('m');
});
