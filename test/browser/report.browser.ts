import { expect, test } from 'vitest';
import { startReport } from './open-page.ts';
import { HOSTILE_DETAIL, reportOf } from './sample.ts';

const open = startReport();

test('the report has the pages that need no server, and sends no request', async () => {
  const page = await open();
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const titles = (await links.allInnerTexts()).map((text) => text.replace(/\d+$/, ''));
  expect(titles).toEqual(['Overview', 'Materials', 'Batches', 'Findings']);
  for (const title of titles) {
    await page
      .getByRole('link', { name: new RegExp(`^${title}`) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
  expect(await page.getByText('the stack WarehouseControl in eu-central-1').count()).toBeGreaterThan(0);
  expect(await page.getByText('This file contains all of its data').count()).toBe(1);
});

test('the report shows what a client sent as text, also in findings', async () => {
  const page = await open({ hash: '#/findings' });
  await page.getByText(HOSTILE_DETAIL).waitFor();
  expect(await page.locator('img, main b, main svg[onload]').count()).toBe(0);
});

test('the report prints the rows of a table without controls', async () => {
  const page = await open({ hash: '#/materials', width: 700 });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('tr.entry').count()).toBeGreaterThan(5);
  expect(await page.locator('nav a, input, select').filter({ visible: true }).count()).toBe(0);
});

test('the report without any data shows every page', async () => {
  for (const hash of ['#/overview', '#/materials', '#/batches', '#/findings']) {
    const page = await open({ hash, data: reportOf() });
    expect(await page.locator('main').innerText()).not.toBe('');
  }
});
