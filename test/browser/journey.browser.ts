import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cellOf, says } from './lists-page.ts';
import { dialogIsGone, expectAccessible, expectSoon, pickFile, rows, startConsole } from './open-page.ts';

const { open } = startConsole();

/** The label or the text of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : [];
    return (element.ariaLabel ?? (label ?? element).innerText).trim();
  });

/** Goes on from control to control until one has this name. */
const goTo = async (page: Page, name: string, key = 'Tab') => {
  const passed: string[] = [];
  while (passed.at(-1) !== name && passed.length < 40) {
    await page.keyboard.press(key);
    passed.push(await focused(page));
  }
  expect(passed).toContain(name);
};
const choose = async (page: Page, name: string, key?: string) => {
  await goTo(page, name, key);
  await page.keyboard.press('Enter');
};

/** Each new code looks like one of the demo, but for its first letter. */
test.each([
  {
    locale: 'de-DE',
    code: 'Kabel-8/013',
    twin: '\u041aabel-8/013',
    letter: '"К" (U+041A, Cyrillic)',
    marks: ['К (Cyrillic)', 'K (Latin)'],
  },
  {
    locale: 'ru-RU',
    code: 'Rohr-4/001',
    twin: 'R\u043ehr-4/001',
    letter: '"о" (U+043E, Cyrillic)',
    marks: ['о (Cyrillic)', 'o (Latin)'],
  },
])(
  'a look-alike in a file is warned of, written, taken back and kept in the history, with the keyboard alone: $locale',
  async ({ locale, code, twin, letter, marks }) => {
    const page = await open(`#/lists/codes?search=${code}`, { locale });
    const before = await cellOf(page, 'Weight', code).inputValue();
    await pickFile(page, `MaterialCode;Weight:number\n${twin};7,5\n${code};1234,5\n`);
    await choose(page, 'Import a file: choose a file or drop it here (a file may add columns)');
    await says(page, 'To write: 1 added and 1 changed.');
    const warning = page.getByRole('dialog').locator('.notice', { has: page.locator('mark') });
    await expectSoon(() => warning.innerText()).toContain(letter);
    expect(await warning.locator('mark').allTextContents()).toEqual(marks);
    expect(await page.getByRole('button', { name: 'Write 2 rows' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await goTo(page, 'I have read the warning');
    await page.keyboard.press('Space');
    await choose(page, 'Write 2 rows');
    await says(page, 'Written: 1 added and 1 changed.');

    await choose(page, 'Undo this import');
    await says(page, 'To write: 1 changed and 1 removed.');
    await expectAccessible(page);
    await choose(page, 'Write 2 rows');
    await says(page, 'Written: 1 changed and 1 removed.');
    await page.keyboard.press('Escape');
    await dialogIsGone(page);
    await expectSoon(() => cellOf(page, 'Weight', code).inputValue()).toBe(before);

    await choose(page, 'History', 'Shift+Tab');
    await page.locator('h1', { hasText: 'History' }).waitFor();
    await expectSoon(() => rows(page).first().innerText()).toMatch(/undo/);
    await expectSoon(() => rows(page).nth(1).innerText()).toMatch(/fixed\.csv/);
    await expectAccessible(page);
  },
);
