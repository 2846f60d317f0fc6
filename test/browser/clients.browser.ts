import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  dialogIsGone,
  expectAccessible,
  expectHash,
  expectPrinted,
  expectSoon,
  expectText,
  isAskedToStay,
  press,
  readState,
  rows,
  startConsole,
} from './open-page.ts';

const { open, put } = startConsole();

const row = (page: Page, client: string) => rows(page).filter({ has: page.getByLabel(`Edit ${client}`) });
const passwordIn = (dialog: Locator) => dialog.getByLabel('Password', { exact: true });
const close = async (page: Page, dialog: Locator) => {
  await press(dialog, 'Close');
  await dialogIsGone(page);
};

const openDialog = async (page: Page, client: string) => {
  await press(page, `Edit ${client}`);
  return page.getByRole('dialog', { name: `Edit ${client}` });
};

/** Changes a client with a button of its dialog, until the dialog says so. */
const change = async (page: Page, client: string, button: string, words: string) => {
  const dialog = await openDialog(page, client);
  await press(dialog, button);
  await dialog.getByText(words).waitFor();
  await close(page, dialog);
};

const openRotation = async (page: Page, client: string) => {
  const dialog = await openDialog(page, client);
  await press(dialog, 'New password…');
  await dialog.locator('input:focus').waitFor();
  return dialog;
};

/** Makes a new password, and returns it with the dialog that shows it. */
const makePassword = async (page: Page, client: string) => {
  const dialog = await openRotation(page, client);
  await press(dialog, 'New password');
  await press(dialog, 'Yes');
  return { dialog, password: await passwordIn(dialog).inputValue() };
};

test('the dialog of a client has an address', async () => {
  const page = await open('#/clients?edit=east&search=east');
  await page.getByRole('dialog', { name: 'Edit east' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialogIsGone(page);
  await expectHash(page, '#/clients?search=east');
  await openDialog(page, 'east');
  await expectHash(page, '#/clients?search=east&edit=east');
  await page.reload();
  await page.getByRole('dialog', { name: 'Edit east' }).press('Escape');
  await dialogIsGone(page);
  await press(page, 'Add a client');
  await expectHash(page, '#/clients?search=east&add=client');
  await page.getByRole('dialog', { name: 'Add a client' }).waitFor();
});

describe('a new password', () => {
  test('is shown, and the end of the previous one', async () => {
    const page = await open('#/clients');
    await expectAccessible(page);
    const { dialog, password } = await makePassword(page, 'warehouse');
    await dialog.getByText(/^The new password of warehouse works after at most 60 s\./).waitFor();
    expect(await dialog.getByLabel('User name', { exact: true }).inputValue()).toBe('warehouse');
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    await expectAccessible(page);
    await close(page, dialog);
    await row(page, 'warehouse').getByText('in 23 h').waitFor();
  });

  test('can replace a lost one, only while the previous one is valid', async () => {
    const page = await open('#/clients');
    const lost = page.getByRole('button', { name: 'Replace a lost password' });
    const dialog = await openRotation(page, 'north');
    expect(await lost.count()).toBe(0);
    await press(dialog, 'Cancel');
    await dialogIsGone(page);
    await close(page, (await makePassword(page, 'north')).dialog);
    await row(page, 'north').getByText('in 23 h').waitFor();
    await openRotation(page, 'north');
    await lost.waitFor();
  });

  test('is copied, or selected if the browser forbids it', async () => {
    const page = await open('#/clients');
    const { dialog, password } = await makePassword(page, 'east');
    // Denies all, because a whole Chromium lets a click copy.
    await page.context().grantPermissions([]);
    await dialog.getByLabel('Copy the Password').click();
    await dialog.getByText('The Password was not copied.').waitFor();
    expect(await page.locator('input:focus').evaluate(() => String(getSelection()))).toBe(password);
    await press(dialog, 'Copy all');
    await dialog.getByText('Nothing was copied. Copy the three values one by one.').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByLabel('Copy the Password').click();
    await dialog.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  });

  test('survives Escape and Back, and disappears with its dialog', async () => {
    const page = await open('#/overview');
    await page.getByRole('link', { name: 'Clients' }).click();
    await page.route(/clients\/north/, async (route) => {
      for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
      await route.continue();
    });
    const { dialog, password } = await makePassword(page, 'north');
    await expectSoon(() => isAskedToStay(page)).toBe(true);
    await page.goBack();
    expect(await passwordIn(dialog).inputValue()).toBe(password);
    await page.keyboard.press('Escape');
    await page.locator('h1', { hasText: 'Overview' }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect([await page.content(), page.url(), kept].join()).not.toContain(password);
  });
});

describe('Enter', () => {
  test('in the hours of silence saves them, and no password is near', async () => {
    const page = await open('#/clients');
    const dialog = await openDialog(page, 'south');
    await dialog.locator('input:focus').waitFor();
    expect(await dialog.getByLabel('Hours that the current password').count()).toBe(0);
    await page.keyboard.type('72');
    await page.keyboard.press('Enter');
    await dialog.getByText('south is changed.').waitFor();
    const read = page.waitForResponse(/\/api\/tables\/clients/);
    await close(page, dialog);
    await read;
    await openDialog(page, 'south');
    expect(await dialog.getByLabel('Late after').inputValue()).toBe('72');
  });

  test('in the overlap asks before it makes a new password', async () => {
    const page = await open('#/clients', { locale: 'ru-RU' });
    const dialog = await openRotation(page, 'south');
    await page.keyboard.type('48');
    await page.keyboard.press('Enter');
    await dialog.getByText(/^south gets a new password\. The current password stays valid until /).waitFor();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await press(dialog, 'Cancel');
    await dialogIsGone(page);
    await expectText(row(page, 'south'), /\s\d+ d ago\s/);
    await makePassword(page, 'south');
  });
});

describe('a client', () => {
  test('is not added with a name that is none', async () => {
    const page = await open('#/clients', { expected: /400 \(Bad Request\)/ });
    await press(page, 'Add a client');
    const adding = page.getByRole('dialog', { name: 'Add a client' });
    for (const wrong of ['.', '-', '..', 'a b']) {
      await adding.getByLabel('Client: letters').fill(wrong);
      await press(adding, 'Add the client');
      await adding
        .getByRole('alert')
        .getByText(/^A client name has 1 to 64 letters/)
        .waitFor();
      expect(await adding.getByLabel('Client: letters').inputValue()).toBe(wrong);
    }
  });

  test('is added on a phone, found by its user name, and removed', async () => {
    const page = await open('#/clients', { viewport: { width: 360, height: 740 } });
    expect((await page.getByRole('link', { name: 'Clients' }).boundingBox())?.x).toBeLessThan(360);
    await press(page, 'Add a client');
    const adding = page.getByRole('dialog', { name: 'Add a client' });
    await adding.locator('input:focus').fill('west');
    await adding.getByLabel('User name').fill('Запад');
    await press(adding, 'Add the client');
    await adding.getByText('west is added.').waitFor();
    await close(page, adding);
    await page.getByLabel('Search').fill('запад');
    await expectText(row(page, 'west'), /Запад\s+standard\s+\d+\s+\d+ s ago\s/);
    const dialog = await openDialog(page, 'west');
    await press(dialog, 'Remove');
    await dialog.getByText('west loses its password and its access.').waitFor();
    await press(dialog, 'Yes');
    await close(page, dialog);
    await row(page, 'west').waitFor({ state: 'detached' });
  });

  test('keeps an undeployed plan, and a field that is being typed in', async () => {
    const page = await open('#/clients');
    const json = { notices: [], plans: ['other'], damaged: [] };
    await page.route(/clients$/, (route) => route.fulfill({ json }));
    await page.reload();
    const dialog = await openDialog(page, 'east');
    await dialog.getByLabel('Late after').fill('0');
    await readState(page);
    await press(dialog, 'Save');
    await dialog.getByText('east is changed.').waitFor();
    await close(page, dialog);
    await row(page, 'east').getByText('unwatched').waitFor();
    await expectText(row(page, 'east'), /\sstandard\s/);
  });

  test('keeps a name for people, a language and a contact', async () => {
    const page = await open('#/clients');
    const dialog = await openDialog(page, 'east');
    await dialog.getByLabel(/^Display name/).fill('Osten');
    await dialog.getByLabel('Language of messages').selectOption('German');
    await dialog.getByLabel(/^Contact/).fill('Jürgen\nlager@example.com');
    await press(dialog, 'Save');
    await close(page, dialog);
    await row(page, 'east').getByText('Osten').waitFor();
    const again = await openDialog(page, 'east');
    expect(await again.getByLabel(/^Contact/).inputValue()).toBe('Jürgen\nlager@example.com');
    await again.getByLabel(/^Contact/).fill('');
    await press(again, 'Save');
    await close(page, again);
    expect(await (await openDialog(page, 'east')).getByLabel(/^Contact/).inputValue()).toBe('');
  });

  test('that is saved without a change says what can be changed', async () => {
    const page = await open('#/clients', { expected: /400 \(Bad Request\)/ });
    const dialog = await openDialog(page, 'north');
    await press(dialog, 'Save');
    await dialog.getByText(/^Nothing is different\. Give north another plan/).waitFor();
    await dialog.getByText('Limits').press('Enter');
    await dialog.getByLabel('Plan').selectOption('slow');
    await press(dialog, 'Save');
    await dialog.getByText('north is changed.').waitFor();
  });

  test('is locked and unlocked, and printed without buttons', async () => {
    const page = await open('#/clients');
    await change(page, 'north', 'Lock', 'north is locked.');
    await page.locator('[aria-label="Edit north"]:focus').waitFor();
    await row(page, 'north').locator('.error', { hasText: 'locked' }).waitFor();
    await expectPrinted(page, 4);
    await change(page, 'north', 'Unlock', 'north is unlocked.');
    await row(page, 'north').locator('.error', { hasText: 'locked' }).waitFor({ state: 'detached' });
  });

  test('whose item is damaged is locked, unlocked and removed', async () => {
    await put('Clients', { Client: 'broken' });
    const page = await open('#/clients');
    await page.getByText(/^1 damaged item in the table Clients, left out here: broken\./).waitFor();
    await change(page, 'broken', 'Lock', 'broken is locked.');
    await change(page, 'broken', 'Unlock', 'broken is changed, but it cannot sign in.');
    const dialog = await openDialog(page, 'broken');
    await dialog.getByRole('button', { name: 'Remove' }).waitFor();
    expect(await dialog.getByLabel('Plan').isVisible()).toBe(false);
    await expectAccessible(page);
    await press(dialog, 'Remove');
    await press(dialog, 'Yes');
    await dialog.getByText('broken is removed.').waitFor();
    await close(page, dialog);
    await page.getByText('1 damaged item').waitFor({ state: 'detached' });
  });
});
