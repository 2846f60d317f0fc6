import type { Page } from 'playwright-core';
import { expectSoon } from './open-page.ts';

export const CODES = '#/lists/codes';

export const cellOf = (page: Page, attribute: string, code: string) =>
  page.getByRole('textbox', { name: `${attribute} of ${code}`, exact: true });

/** What is not written yet, in words. */
export const pending = (page: Page) =>
  page.getByLabel('Changes that are not written yet').getByRole('status');

export const importFile = (page: Page, text: string) =>
  page
    .getByLabel('Import a file')
    .setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Waits until a review says this. */
export const says = (page: Page, text: string) =>
  page.getByRole('dialog').getByText(text, { exact: true }).waitFor();

/** The changes that a review shows. */
export const reviewed = (page: Page) =>
  expectSoon(() => page.getByRole('dialog').locator('tr.entry').allInnerTexts());

export const acceptWarnings = (page: Page) => page.getByRole('checkbox', { name: /^I have read / }).check();
