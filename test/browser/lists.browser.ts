import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startConsole, violationsOf, widthOf } from './open-console.ts';

const { open } = startConsole();

const CODES = '#/lists/codes';
const rowOf = (page: Page, code: string) =>
  page.locator('tr.entry', { has: page.getByText(code, { exact: true }) });
const cellOf = (page: Page, attribute: string, code: string) =>
  page.getByRole('button', { name: new RegExp(`^${attribute} of ${code}:`) });
const pending = (page: Page) => page.getByLabel('Changes that are not written yet').getByRole('status');
const outcome = (page: Page) => page.locator('.outcome');
const confirm = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click();

const drop = (page: Page, name: string, content: string) =>
  page.evaluate(
    ([name = '', content = '']) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], name));
      for (const type of ['dragover', 'drop']) {
        dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
      }
    },
    [name, content],
  );

test('rows are changed, added and removed with the keyboard alone, and written after a confirmation', async () => {
  const page = await open(CODES);
  const { keyboard } = page;
  await cellOf(page, 'Name', 'Kabel-8/001').focus();
  await keyboard.press('Enter');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('<img src=x onerror=boom()>');
  await keyboard.press('Escape');
  await keyboard.press('Enter');
  await keyboard.type(' new');
  await keyboard.press('Enter');
  const changed = cellOf(page, 'Name', 'Kabel-8/001');
  expect(await changed.innerText()).toBe('Kabel 1 mm² new');
  expect(await changed.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await pending(page).innerText()).toBe('Not written yet: 1 row changed.');

  await page.getByRole('button', { name: 'Remove Kabel-8/002' }).press('Enter');
  await page.getByRole('button', { name: 'Add a row' }).press('Enter');
  await keyboard.type('A-New');
  for (const key of ['Enter', 'Tab', 'Tab', 'Enter']) await keyboard.press(key);
  await keyboard.type('<b>new</b>');
  await keyboard.press('Enter');
  expect(await pending(page).innerText()).toBe('Not written yet: 1 row added, 1 changed and 1 removed.');

  // The changes stay while other pages are looked at.
  await page.getByRole('link', { name: 'Findings' }).click();
  await page.getByRole('link', { name: 'Lists' }).click();
  const isAsked = await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(isAsked).toBe(true);

  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByRole('dialog').locator('tr.entry').first().waitFor();
  expect(await page.getByRole('dialog').locator('tr.entry').allInnerTexts()).toEqual(
    expect.arrayContaining([
      'added\tA-New\tName\t\t<b>new</b>',
      'changed\tKabel-8/001\tName\tKabel 1 mm²\tKabel 1 mm² new',
    ]),
  );
  await page.getByRole('button', { name: 'Add 1, change 1 and remove 1 row' }).press('Enter');
  expect(await outcome(page).innerText()).toBe('1 row added, 1 changed and 1 removed.');
  await cellOf(page, 'Name', 'A-New').waitFor();
  expect(await cellOf(page, 'Name', 'A-New').innerText()).toBe('<b>new</b>');
  expect(await page.getByText('Kabel-8/002').count()).toBe(0);
  expect(await pending(page).count()).toBe(0);
});

test('edits that cannot be written are refused in words, and can be discarded', async () => {
  const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
  await cellOf(page, 'Weight', 'Kabel-8/003').click();
  await page.keyboard.type('kg');
  await page.getByRole('button', { name: 'Add a column' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Länge');
  await page.getByLabel('Its cells hold numbers').check();
  await page.getByRole('button', { name: 'Add the column' }).click();
  await cellOf(page, 'Länge', 'Kabel-8/004').click();
  await page.keyboard.type('1,5');
  await page.getByRole('button', { name: 'Review' }).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  expect(await alert.innerText()).toMatch(
    /2 faults.*\n"Kabel-8\/003": column "Weight".*\n"Kabel-8\/004": .* write 1\.5$/,
  );
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  expect(await pending(page).count()).toBe(0);
  expect(await cellOf(page, 'Weight', 'Kabel-8/003').innerText()).toBe('0.255');
}, 60_000);

describe('a dropped file', () => {
  test('shows what it would change, and is imported after a confirmation', async () => {
    const page = await open(CODES);
    await drop(page, 'codes.csv', 'MaterialCode;Name\nDropped-1;Schraube\nKabel-8/005;Kabel\n');
    await page.getByRole('button', { name: 'Add 1 and change 1 row' }).waitFor();
    expect(await rowOf(page, 'Dropped-1').count()).toBe(1);
    await page.getByLabel('Make the list exactly the file').check();
    const replacing = page.getByRole('button', { name: /^Add 1, change 1 and remove \d+ rows$/ });
    await replacing.waitFor();
    await page.getByLabel('Make the list exactly the file').uncheck();
    await confirm(page, 'Add 1 and change 1 row');
    expect(await outcome(page).innerText()).toBe('1 row added and 1 changed.');
    await page.getByLabel('Search').fill('schraube');
    expect(await rowOf(page, 'Dropped-1').innerText()).toContain('Schraube');
  });

  test('with faults lists them', async () => {
    const page = await open(CODES, { expected: /400 \(Bad Request\)/ });
    await drop(page, 'codes.csv', 'MaterialCode,Name\nA B,x\n,y\n');
    const alert = page.getByRole('dialog', { name: 'Import codes.csv' }).getByRole('alert');
    expect(await alert.innerText()).toMatch(
      /^The file is refused for 2 faults; nothing was written\.\nline 2: .*\nline 3: /,
    );
  });
});

test('what the other of two browsers has changed meanwhile is named, and stays until it is reviewed again', async () => {
  const [mine, theirs] = [await open(CODES), await open(CODES)];
  for (const [page, text] of [
    [mine, 'mine'],
    [theirs, 'theirs'],
  ] as const) {
    await cellOf(page, 'Unit', 'Kabel-8/006').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Change 1 row' }).waitFor();
  }
  await confirm(theirs, 'Change 1 row');
  expect(await outcome(theirs).innerText()).toBe('1 row changed.');
  await confirm(mine, 'Change 1 row');
  expect(await outcome(mine).innerText()).toContain('Somebody else has changed Kabel-8/006 meanwhile.');
  await mine.getByRole('button', { name: 'Review them again' }).click();
  const row = mine.getByRole('dialog').locator('tr.entry');
  expect(await row.innerText()).toBe('changed\tKabel-8/006\tUnit\ttheirs\tmine');
  await confirm(mine, 'Change 1 row');
  expect(await outcome(mine).innerText()).toBe('1 row changed.');
});

test('a page that only reads shows nothing that writes', async () => {
  const prepare = async (page: Page) => {
    await page.route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('data-read-only="false"', 'data-read-only="true"');
        await route.fulfill({ response, body });
      },
    );
  };
  const page = await open(CODES, { prepare });
  await rowOf(page, 'Kabel-8/007').waitFor();
  expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual(
    await page.locator('th button').allInnerTexts(),
  );
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([1_280, 360])('a list, its edits and its review are accessible, %i wide', async (width) => {
    const page = await open(CODES, { colorScheme, width });
    await cellOf(page, 'Name', 'Kabel-8/010').click();
    await page.keyboard.type(' x');
    await page.getByRole('button', { name: 'Remove Kabel-8/011' }).click();
    await page.getByRole('button', { name: 'Add a row' }).click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBe(width);
    await page.getByRole('button', { name: 'Remove the new row' }).click();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Change 1 and remove 1 row' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBe(width);
  });
});
