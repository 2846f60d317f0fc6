import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectPrinted, isAskedToStay, press, rows, startConsole } from './open-page.ts';

const { open, putClient } = startConsole();

const row = (page: Page, client: string) => rows(page).filter({ has: page.getByLabel(`Edit ${client}`) });
const openDialog = async (page: Page, client: string) => {
  await press(page, `Edit ${client}`);
  return page.getByRole('dialog', { name: `Edit ${client}` });
};

test('a new password can be copied, and disappears with its dialog, and the end of the previous one is shown', async () => {
  const page = await open('#/overview');
  await page.getByRole('link', { name: 'Clients' }).click();
  await row(page, 'warehouse').waitFor();
  await expectAccessible(page);
  const dialog = await openDialog(page, 'warehouse');
  await expectAccessible(page);
  await page.route(/clients\/warehouse/, async (route) => {
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await route.continue();
  });
  await press(dialog, 'New password');
  await press(dialog, 'Yes');
  await dialog.getByText(/^The new password of warehouse works after at most 60 s\./).waitFor();
  await expectAccessible(page);
  const password = await dialog.getByLabel('Password', { exact: true }).inputValue();
  expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
  // Denies all, because a whole Chromium lets a click copy.
  await page.context().grantPermissions([]);
  await dialog.getByLabel('Copy the Password').click();
  await dialog.getByText('The Password was not copied.').waitFor();
  expect(await page.locator('input:focus').evaluate(() => String(getSelection()))).toBe(password);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByLabel('Copy the Password').click();
  await dialog.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  expect(await isAskedToStay(page)).toBe(true);
  await page.goBack();
  expect(await dialog.getByLabel('Password', { exact: true }).inputValue()).toBe(password);
  await page.keyboard.press('Escape');
  await page.locator('h1', { hasText: 'Overview' }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect([await page.content(), page.url(), kept].join()).not.toContain(password);

  await page.goForward();
  await row(page, 'warehouse').getByText('in 23 h').waitFor();
});

test('Enter in the hours of silence saves them, and Enter in the overlap asks before it makes a new password', async () => {
  const page = await open('#/clients', { locale: 'ru-RU' });
  const dialog = await openDialog(page, 'south');
  await dialog.locator('input:focus').waitFor();
  await page.keyboard.type('72');
  await page.keyboard.press('Enter');
  await dialog.getByText('south is changed.').waitFor();
  const read = page.waitForResponse(/\/api\/tables\/clients/);
  await press(dialog, 'Close');
  await read;
  await page.locator('dialog').waitFor({ state: 'detached' });
  await openDialog(page, 'south');
  expect(await dialog.getByLabel('Late after').inputValue()).toBe('72');
  await dialog.getByLabel('Hours that the current password stays valid').fill('48');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^south gets a new password\. The current password stays valid until /).waitFor();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await press(dialog, 'Cancel');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await row(page, 'south').innerText()).toMatch(/\s\d+ d ago\s/);
  await openDialog(page, 'south');
  await press(dialog, 'New password');
  await press(dialog, 'Yes');
  await dialog.getByLabel('Password', { exact: true }).waitFor();
});

test('what is wrong with a name is said in a sentence, and a save without a change too', async () => {
  const page = await open('#/clients', { expected: /400 \(Bad Request\)/ });
  await press(page, 'Add a client');
  const adding = page.getByRole('dialog', { name: 'Add a client' });
  const name = adding.getByLabel('Client: letters');
  for (const wrong of ['.', '-', '..', 'a b']) {
    await name.fill(wrong);
    await press(adding, 'Add the client');
    await adding
      .getByRole('alert')
      .getByText(/^A client name has 1 to 64 letters/)
      .waitFor();
    expect(await name.inputValue()).toBe(wrong);
  }
  await press(adding, 'Cancel');
  await page.locator('dialog').waitFor({ state: 'detached' });
  const dialog = await openDialog(page, 'east');
  await press(dialog, 'Save');
  await dialog.getByText(/^Nothing is different\. Give east another plan/).waitFor();
});

test('a client is added, set, locked, unlocked and removed', async () => {
  const page = await open('#/clients', { viewport: { width: 360, height: 740 } });
  const tab = await page.getByRole('link', { name: 'Clients' }).boundingBox();
  expect(tab?.x).toBeLessThan(360);
  await press(page, 'Add a client');
  const adding = page.getByRole('dialog', { name: 'Add a client' });
  await adding.locator('input:focus').fill('west');
  await adding.getByLabel('User name').fill('Запад');
  await adding.getByLabel('Plan').selectOption('slow');
  await press(adding, 'Add the client');
  await adding.getByText('west is added.').waitFor();
  expect(await adding.getByLabel('User name').last().inputValue()).toBe('Запад');
  await press(adding, 'Close');
  await page.locator('dialog').waitFor({ state: 'detached' });

  const change = async (name: string, words: string, act = async (_: Locator) => {}) => {
    const dialog = await openDialog(page, 'west');
    await act(dialog);
    await press(dialog, name);
    await dialog.getByText(words).waitFor();
    await press(dialog, 'Close');
    // A closed dialog has no role any more, but for a moment the same label as the button that opens it.
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  // A plan that is no longer deployed stays.
  await page.route(/clients$/, (route) =>
    route.fulfill({ json: { notices: [], plans: ['standard'], damaged: [] } }),
  );
  await page.reload();
  await change('Save', 'west is changed.', async (dialog) => {
    await dialog.getByLabel('Late after').fill('0');
    // The page is drawn again, and the dialog keeps what is typed.
    for (const _ of [1, 2]) await page.waitForResponse(/\/api\/state/);
  });
  await row(page, 'west').getByText('unwatched').waitFor();
  expect(await row(page, 'west').innerText()).toMatch(/Запад\s+slow\s+1\s+\d+ s ago\s/);
  await change('Lock', 'west is locked.');
  await page.locator('[aria-label="Edit west"]:focus').waitFor();
  await row(page, 'west').locator('.error', { hasText: 'locked' }).waitFor();
  await expectPrinted(page, 5);
  await page.getByLabel('Search').fill('запад');
  await page.getByText('1 client', { exact: true }).waitFor();
  await change('Unlock', 'west is unlocked.');
  await change('Yes', 'west is removed.', async (dialog) => {
    await press(dialog, 'Remove');
    await dialog.getByText('west loses its password and its access.').waitFor();
  });
  await row(page, 'west').waitFor({ state: 'detached' });
});

test('a client whose item is damaged is locked, unlocked and removed', async () => {
  await putClient({ Client: 'broken' });
  const page = await open('#/clients');
  await page.getByText(/^1 damaged item in the table Clients, left out here: broken\./).waitFor();
  for (const [name, words] of [
    ['Lock', 'broken is locked.'],
    ['Unlock', 'broken is changed, but it cannot sign in.'],
  ] as const) {
    const dialog = await openDialog(page, 'broken');
    expect(await dialog.getByLabel('Plan').isVisible()).toBe(false);
    await press(dialog, name);
    await dialog.getByText(words).waitFor();
    await press(dialog, 'Close');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  const dialog = await openDialog(page, 'broken');
  await expectAccessible(page);
  await press(dialog, 'Remove');
  await press(dialog, 'Yes');
  await dialog.getByText('broken is removed.').waitFor();
  await press(dialog, 'Close');
  await page.getByText('1 damaged item').waitFor({ state: 'detached' });
});
