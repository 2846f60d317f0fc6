import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { DAY_MS } from '../../shared/time.ts';
import { expectAccessible, startConsole } from './open-page.ts';

const { open } = startConsole();

const openBatch = async (page: Page) => {
  await page.locator('tr.entry a').first().click();
  await page.getByRole('link', { name: 'Compare with another' }).waitFor();
};

const changeClient = async (page: Page) => {
  await page.getByLabel('Edit east').click();
  await page.getByRole('button', { name: 'New password' }).waitFor();
};

const rotatePassword = async (page: Page) => {
  await changeClient(page);
  await page.getByRole('button', { name: 'New password' }).click();
  await page.getByText(/^The new password of east|^Two passwords are valid/).waitFor();
};

const editList = async (page: Page) => {
  await page.getByLabel('Name of Kabel-8/010', { exact: true }).fill('x');
  await page.getByRole('button', { name: 'Remove Kabel-8/011' }).press('Enter');
  await page.getByLabel('MaterialCode of a new row').fill('A-0');
  await page.getByRole('button', { name: 'Add a row' }).press('Enter');
  await page.getByText('Which rows?').press('Enter');
};

const reviewList = async (page: Page) => {
  await editList(page);
  await page.getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByRole('dialog').getByText('To write: ').waitFor();
};

const pages: Record<string, [hash: string, go?: (page: Page) => Promise<void>]> = {
  'the overview': ['#/overview'],
  'the findings': ['#/findings'],
  'an earlier time': [`#/overview?at=${new Date(Date.now() - DAY_MS).toISOString()}`],
  'the batches': ['#/batches'],
  'a batch': ['#/batches/east', openBatch],
  'a comparison': ['#/batches/east', (page) => page.getByRole('link', { name: '−66' }).click()],
  'the materials': ['#/materials'],
  'the totals of materials': ['#/materials?show=totals'],
  'a material': ['#/materials/Kabel-8%2F003'],
  'a query': ['#/query?sql=select%201.5', (page) => page.getByRole('button', { name: 'Run' }).click()],
  'the clients': ['#/clients'],
  'a client to change': ['#/clients', changeClient],
  'a new password': ['#/clients', rotatePassword],
  'an edited list': ['#/lists/codes', editList],
  'a reviewed list': ['#/lists/codes', reviewList],
};

test.each(Object.entries(pages))(
  '%s has no violation of axe in German and Russian, and fits a phone',
  async (_, [hash, go]) => {
    for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark', locale: 'ru-RU' }] as const) {
      const page = await open(hash, look);
      await go?.(page);
      await page.locator('tr.entry, figure').first().waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectAccessible(page);
    }
  },
);
