import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { basic } from '../support/http-client.ts';
import { startConsole } from './open-page.ts';

const { open, run } = startConsole();

const row = (page: Page, client: string) =>
  page.locator('tr.entry').filter({ has: page.getByLabel(`Rotate ${client}`) });
const rotate = async (page: Page, client: string) => {
  await page.getByLabel(`Rotate ${client}`).click();
  return page.getByRole('dialog', { name: `New password for ${client}` });
};

/** Everything in the page that could keep a secret. */
const tracesIn = (page: Page) =>
  page.evaluate(
    () =>
      document.documentElement.outerHTML +
      location.href +
      JSON.stringify({ ...localStorage, ...sessionStorage }),
  );

test('a rotated password works, shows its age in another browser, and disappears with its dialog', async () => {
  const [page, other] = [await open('#/clients'), await open('#/clients')];
  const dialog = await rotate(page, 'warehouse');
  expect(await dialog.innerText()).toMatch(
    /warehouse gets a new password, .* The old one stays valid for 24 hours more/,
  );
  await dialog.getByRole('button', { name: 'Give warehouse a new password' }).click();
  const password = await dialog.getByLabel('New password').inputValue();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(password);
  expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
  expect((await run().get('purchase-orders', basic('warehouse', password))).status).toBe(200);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await tracesIn(page)).not.toContain(password);

  await other.bringToFront();
  await other.evaluate(() => dispatchEvent(new Event('focus')));
  await row(other, 'warehouse').getByText('valid for').waitFor();
  expect(await row(other, 'warehouse').innerText()).toMatch(/valid for 23 h more/);
  const second = await rotate(other, 'warehouse');
  expect(await second.getByText('ends at once').innerText()).toContain(
    'The last change was a short while ago.',
  );
  await second.getByRole('button', { name: 'Cancel' }).click();
  expect(await other.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Rotate warehouse',
  );
});
