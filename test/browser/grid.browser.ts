import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CODES, cellOf, pending, reviewed } from './lists-page.ts';
import { expectAccessible, expectHash, expectSoon, expectText, press, startConsole } from './open-page.ts';

const { open } = startConsole();

const newRow = (page: Page) => page.getByLabel('MaterialCode of a new row', { exact: true });
const focused = (page: Page) =>
  expectSoon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')));
const says = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();

/** Copies a text as a spreadsheet does, and pastes it where the focus is. */
const paste = async (page: Page, text: string) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('ControlOrMeta+v');
};

const addColumn = async (page: Page, name: string, type: string) => {
  await page.getByLabel('Name of a new column').fill(name);
  await page.getByLabel('Its values').selectOption(type);
  await press(page, 'Add a column');
};

/** As LibreOffice and Excel copy it. Excel puts a cell of several lines in quotation marks, and files with tabs also others. */
const SHEET = [
  'MaterialCode\tName\tWeight:number\tLänge:number',
  'Kabel-8/001\tKabel\t1,02\t7,5',
  'Neu/2\t"zwei\n""Zeilen"" davon"\t1.234,5\t',
  'Neu/3\t5" Rohr\t2,5\t1.234',
  'Neu/4\t"Rohr"\t\t',
  'Neu/5\t"5"" Rohr"\t\t',
  ...Array.from({ length: 495 }, (_, index) => `Neu/${index + 6}\tRohr ${index}\t${index},5\t${index}`),
  '',
].join('\n');

describe('the keys of a spreadsheet', () => {
  test('move from cell to cell, and within a text that is edited', async () => {
    const page = await open(CODES);
    const { keyboard } = page;
    await cellOf(page, 'Name', 'Kabel-8/002').focus();
    const steps = ['Enter', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'Shift+Enter'];
    for (const key of steps) await keyboard.press(key);
    await focused(page).toBe('Name of Kabel-8/001');
    await keyboard.type('Neu');
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight']) await keyboard.press(key);
    await focused(page).toBe('Group of Kabel-8/001');
    await keyboard.press('F2');
    for (const key of ['Home', 'Shift+ArrowRight', 'ArrowLeft', 'ArrowDown']) await keyboard.press(key);
    await focused(page).toBe('Group of Kabel-8/002');
    await keyboard.press('End');
    await keyboard.press('Control+Enter');
    await keyboard.type('two');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await keyboard.press(key);
    await focused(page).toBe('Group of Kabel-8/002');
    await expectText(pending(page), 'Not written yet: changes to 2 rows');
  });

  test('skip a removed row, and stay at the ends of the table', async () => {
    const page = await open(CODES);
    await press(page, 'Remove Kabel-8/002');
    await cellOf(page, 'Name', 'Kabel-8/001').focus();
    await page.keyboard.press('ArrowUp');
    await focused(page).toBe('Name of Kabel-8/001');
    await page.keyboard.press('Enter');
    await focused(page).toBe('Name of Kabel-8/003');
  });

  test('lead from a cell to the review, also in a Russian layout', async () => {
    const page = await open(CODES, { locale: 'ru-RU' });
    await page.keyboard.press('Control+s');
    await cellOf(page, 'Weight', 'Kabel-8/003').focus();
    await page.keyboard.type('7,5');
    await page.evaluate(() => {
      const event = { key: 'ы', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event));
    });
    await reviewed(page).toEqual([expect.stringMatching('changed\tKabel-8/003\tWeight\t.*\t7,5')]);
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Escape');
    await focused(page).toBe('Weight of Kabel-8/003');
    await expectSoon(() => page.locator('dialog').count()).toBe(0);
  });

  test('leave the review of a file as it is', async () => {
    const page = await open(CODES);
    await cellOf(page, 'Name', 'Kabel-8/003').fill('x');
    const buffer = Buffer.from('MaterialCode\nAus-Datei\n');
    await page.getByLabel('Import a file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await says(page, 'To write: 1 added.');
    await page.keyboard.press('Control+s');
    expect(await page.getByRole('heading', { name: 'Import a.csv' }).count()).toBe(1);
  });
});

describe('a block of a spreadsheet', () => {
  test('adds and changes rows by its codes, and columns by its titles', async () => {
    const page = await open(CODES);
    await newRow(page).focus();
    await paste(page, SHEET);
    await says(page, /^Pasted: 499 new rows and 1 row that exist\./);
    await expectText(pending(page), 'Not written yet: changes to 500 rows');
    await says(page, '399 new rows more will be written, but are not shown.');
    await expectSoon(() => cellOf(page, 'Name', 'Neu/2').inputValue()).toBe('zwei\n"Zeilen" davon');
    for (const code of ['Neu/3', 'Neu/5'])
      await expectSoon(() => cellOf(page, 'Name', code).inputValue()).toBe('5" Rohr');
    await page.keyboard.press('Control+s');
    await says(page, 'To write: 499 added and 1 changed.');
    await reviewed(page).toContain('added\tNeu/2\tWeight\t\t1\u202f234,5');
    await reviewed(page).toContain('added\tNeu/4\tName\t\t"Rohr"');
    await press(page, 'Write 500 rows');
    await says(page, 'Written: 499 added and 1 changed.');
  });

  test('fills cells to the right and below, and is taken back', async () => {
    const page = await open(CODES);
    const codes = await page.locator('tr.entry th').allInnerTexts();
    const [start = ''] = codes.slice(-1);
    await cellOf(page, 'Unit', start).focus();
    await paste(page, 'm\t1.234\r\nkm\t1,5\r\ncm\t3\r\n');
    await says(page, /^Pasted into 3 rows\. Take/);
    await press(page, 'Review');
    await reviewed(page).toContainEqual(expect.stringMatching(`${start}\tWeight\t.*\t1\u202f234$`));
    await reviewed(page).toContainEqual(expect.stringMatching(/\tUnit\t.*\tcm$/));
    await press(page, 'Close');
    await press(page, 'Take the block back');
    await pending(page).waitFor({ state: 'detached' });
    await cellOf(page, 'Unit', start).waitFor();
  });

  test('that does not fit says what is left', async () => {
    const page = await open(`${CODES}?search=Kabel-8/003`);
    await cellOf(page, 'Unit', 'Kabel-8/003').focus();
    await paste(page, 'm\t1\tx\ncm\t2\ty');
    await says(
      page,
      /^Pasted into 1 row\. 1 line of the block did not fit\. .* 1 column of the block did not fit\./,
    );
    for (const name of ['a', 'b']) {
      await newRow(page).focus();
      await paste(page, `Frei/9\t${name}\n`);
    }
    await says(page, /^Pasted: 0 new rows and 1 row that exist\./);
    await expectSoon(() => cellOf(page, 'Name', 'Frei/9').inputValue()).toBe('b');
    await newRow(page).focus();
    await paste(page, `${'x\n'.repeat(2_001)}`);
    await says(page, /^A block can have up to 2\u202f000 lines\./);
    await expectText(pending(page), 'Not written yet: changes to 2 rows');
  });

  test('is a part of a text that is edited', async () => {
    const page = await open(CODES);
    await cellOf(page, 'Name', 'Kabel-8/003').focus();
    await page.keyboard.press('F2');
    await paste(page, ' a\nb');
    await expectSoon(() => cellOf(page, 'Name', 'Kabel-8/003').inputValue()).toBe('Kabel 3 mm² a\nb');
    await cellOf(page, 'Weight', 'Kabel-8/003').focus();
    await paste(page, '1.234\n5.678\n');
    await expectText(pending(page), /Choose which number is meant: Kabel-8\/003 and Kabel-8\/004/);
  });
});

describe('a code', () => {
  test('is renamed in its cell, with its row', async () => {
    const page = await open(`${CODES}?search=Kabel-8/01`);
    await press(page, 'Rename Kabel-8/010');
    await focused(page).toBe('New MaterialCode of Kabel-8/010');
    await page.keyboard.type('Kabel-8/010-B');
    await page.keyboard.press('ArrowDown');
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await reviewed(page).toEqual(['renamed\tKabel-8/010\tMaterialCode\tKabel-8/010\tKabel-8/010-B']);
    await page.getByText('Kabel-8/010 becomes Kabel-8/010-B, but has balances: ').waitFor();
    await page.getByLabel('I have read the warning').press('Space');
    await press(page, 'Write 1 row');
    await says(page, 'Written: 1 renamed.');
    await press(page, 'Close');
    await page.locator('h1:focus').waitFor();
    await pending(page).waitFor({ state: 'detached' });
    await expectSoon(() => cellOf(page, 'Name', 'Kabel-8/010-B').inputValue()).toBe('Kabel 10 mm²');
    await cellOf(page, 'Name', 'Kabel-8/010').waitFor({ state: 'detached' });
  });

  test('that is wrong is marked in its cell, and in the review', async () => {
    const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
    await cellOf(page, 'Name', 'Kabel-8/001').fill('x');
    await newRow(page).focus();
    await paste(page, 'A B\tx\nFrei/20\ty\nFrei/20\tz\n');
    await expectText(pending(page), /changes to 4 rows\. Cannot be written: A B, Frei\/20 and Frei\/20$/);
    const code = page.locator('th textarea[aria-invalid=true]').first();
    await expectText(page.locator('th p').first(), /^MaterialCode must have 1 to 256 characters/);
    await expectAccessible(page);
    await press(page, 'Review');
    await expectText(page.getByRole('alert'), /"A B" is not a valid MaterialCode/);
    const twice = 'added\tFrei/20\tTwo of these changes have Frei/20.';
    const wrong = expect.stringMatching(/^added\tA B\tMaterialCode must have/);
    await reviewed(page).toEqual([wrong, twice, twice, 'changed\tKabel-8/001\t']);
    await expectSoon(() => page.locator('dialog tr.wrong').count()).toBe(3);
    await press(page, 'Close');
    await code.fill('Frei/19');
    await expectText(pending(page), /Cannot be written: Frei\/20 and Frei\/20$/);
  });
});

test('a code that is taken is marked in its cell', async () => {
  const page = await open(CODES);
  await press(page, 'Rename Kabel-8/012');
  await page.keyboard.type('Kabel-8/013');
  await says(page, 'Kabel-8/013 is already in the list.');
  await page.getByText('Which rows?').press('Enter');
  await page.getByText('renamed', { exact: true }).waitFor();
  await cellOf(page, 'New MaterialCode', 'Kabel-8/012').press('Escape');
  await pending(page).waitFor({ state: 'detached' });
  await newRow(page).focus();
  await paste(page, 'Kabel-8/014\ta\nKabel-8/014\tb\n');
  await says(page, /^Pasted: 1 new row and 1 row that exist\./);
});

describe('a new column', () => {
  test('has a type, and is written with its first value', async () => {
    const page = await open(CODES);
    await addColumn(page, 'Weight', 'Numbers');
    await says(page, 'The list already has the column Weight.');
    await addColumn(page, 'Höhe', 'Numbers');
    await addColumn(page, 'Farbe', 'Texts');
    await cellOf(page, 'Höhe', 'Kabel-8/001').fill('1,5');
    await cellOf(page, 'Farbe', 'Kabel-8/001').fill('1,5');
    await expectAccessible(page);
    await press(page, 'Review');
    await press(page, 'Write 1 row');
    await says(page, 'Written: 1 changed.');
    await press(page, 'Close');
    await cellOf(page, 'Höhe', 'Kabel-8/001').fill('2.5');
    await press(page, 'Review');
    await reviewed(page).toEqual(['changed\tKabel-8/001\tHöhe\t1,5\t2,5']);
  });

  test('survives a visit to another page, and is removed with its values', async () => {
    const page = await open(CODES);
    await addColumn(page, 'Falsch', 'Numbers');
    await addColumn(page, 'Leer', 'Texts');
    await cellOf(page, 'Falsch', 'Kabel-8/002').fill('1.234');
    await cellOf(page, 'Falsch', 'Kabel-8/003').fill('2,5');
    await cellOf(page, 'Name', 'Kabel-8/003').fill('Kabel');
    for (const name of ['Findings', 'Lists']) await page.getByRole('link', { name }).click();
    await expectSoon(() => cellOf(page, 'Falsch', 'Kabel-8/003').inputValue()).toBe('2,5');
    await expectText(pending(page), /to 2 rows\. Choose which number is meant: Kabel-8\/002$/);
    await press(page, 'Remove the new column Falsch');
    await cellOf(page, 'Falsch', 'Kabel-8/003').waitFor({ state: 'detached' });
    await cellOf(page, 'Leer', 'Kabel-8/003').waitFor();
    await expectText(pending(page), 'Not written yet: changes to 1 row');
    await page.keyboard.press('Control+s');
    await reviewed(page).toEqual([expect.stringMatching(/^changed\tKabel-8\/003\tName\t/)]);
  });
});

test('a row of the list leads to its history', async () => {
  const page = await open(CODES);
  await page.getByRole('link', { name: 'History of Kabel-8/011' }).press('Enter');
  await expectHash(page, '#/history?list=MaterialCodes&id=Kabel-8/011');
});
