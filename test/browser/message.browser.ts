import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dialogIsGone, expectAccessible, expectSoon, expectText, press, startConsole } from './open-page.ts';

const { open } = startConsole();

/** Opens the message to `south`, which gets these details first. */
const write = async (contact: string, language = 'German') => {
  const page = await open('#/clients?edit=south');
  const client = page.getByRole('dialog');
  await client.getByLabel(/^Contact/).fill(contact);
  await client.getByLabel('Language of messages').selectOption(language);
  await client.getByLabel(/^Display name/).fill('Lager Süd');
  await press(client, 'Save');
  await client.getByText('south is changed.').waitFor();
  await press(client, 'Close');
  await dialogIsGone(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Write to Lager Süd' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Write to Lager Süd' });
  const text = dialog.getByRole('textbox', { name: 'Text' });
  await text.waitFor();
  return { page, dialog, text, link: dialog.getByRole('link', { name: 'Mail' }) };
};

test("a message is changed, copied and mailed in the warehouse's language", async () => {
  const { page, dialog, text, link } = await write('Jürgen <lager@example.com>, 089 1');
  await expectAccessible(page);
  expect(await text.inputValue()).toMatch(/^Guten Tag Lager Süd,.*Zeitzone Europe\/Berlin/s);
  await text.fill('Guten Tag,\n»Rohr & 1« ist 100 % falsch.');
  const mail = new URL((await link.getAttribute('href')) ?? '');
  expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'lager@example.com']);
  expect(mail.searchParams.get('body')).toBe('Guten Tag,\r\n»Rohr & 1« ist 100 % falsch.');
  expect(mail.searchParams.get('subject')).toContain('Bitte prüfen Sie');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(dialog, 'Copy');
  await dialog.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text.inputValue());
  await press(dialog, 'Close');
  await dialogIsGone(page);
});

test('a message fills its dialog, with its buttons in one row', async () => {
  const { page, dialog, text } = await write('');
  expect(await text.evaluate((field) => field === document.activeElement)).toBe(true);
  const buttons = ['Copy', 'Close'].map((name) => dialog.getByRole('button', { name, exact: true }));
  for (const width of [1_280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = [dialog, text, ...buttons].map((element) => element.boundingBox());
    const [whole, ofText, copy, close] = await Promise.all(boxes);
    expect(ofText?.width).toBeGreaterThan((whole?.width ?? 0) * 0.8);
    expect(close?.y).toBe(copy?.y);
  }
});

test('the subject of a message is copied, and a contact added', async () => {
  const { page, dialog } = await write('', 'English');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(dialog, 'Copy the Subject');
  const subject = await dialog.getByLabel('Subject', { exact: true }).inputValue();
  await expectSoon(() => page.evaluate(() => navigator.clipboard.readText())).toBe(subject);
  await dialog.getByRole('link', { name: 'Add one' }).press('Enter');
  await page.getByRole('dialog', { name: 'Edit south' }).waitFor();
});

test('a mail has the text while its link is below 1,900 characters', async () => {
  const { text, dialog, link } = await write('lager@example.com', 'English');
  const href = async () => (await link.getAttribute('href')) ?? '';
  await text.fill('');
  const room = 1_899 - (await href()).length;
  await text.fill('a'.repeat(room));
  await expectSoon(async () => (await href()).length).toBe(1_899);
  expect(await dialog.getByText('Copy it first').count()).toBe(0);
  await text.fill('a'.repeat(room + 1));
  await dialog.getByText('Copy it first, and paste it').waitFor();
  expect(await href()).not.toContain('body=');
});

test('without an address, a message is only copied, or selected', async () => {
  const { page, dialog, text, link } = await write('089 123', 'Russian');
  expect(await link.count()).toBe(0);
  await page.context().grantPermissions([]);
  await press(dialog, 'Copy');
  await dialog.getByText('The message was not copied.').waitFor();
  expect(await page.evaluate(() => String(getSelection()))).toBe(await text.inputValue());
});

/** In the console that a page shows. */
const rename = (page: Page, client: string, displayName: string) =>
  page.evaluate(
    async ([client, displayName]) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ action: 'set', displayName });
      await fetch(`api/clients/${client}`, { method: 'POST', headers, body });
    },
    [client, displayName],
  );

test('a warehouse has its name for people, in tables behind its own', async () => {
  const page = await open('#/overview');
  await rename(page, 'east', 'Lager Ost');
  await rename(page, 'warehouse', 'Hauptlager');
  const days = page.getByRole('region', { name: 'Days that are not as usual' });
  await days.getByRole('link', { name: 'Lager Ost', exact: true }).waitFor();
  await page.getByText('Everything else is fine: 1 warehouse').press('Enter');
  await page.getByRole('link', { name: 'Hauptlager', exact: true }).click();
  await page.getByRole('combobox', { name: 'Warehouse' }).selectOption('Lager Ost');
  await page.getByRole('rowheader', { name: 'Lager Ost' }).waitFor();
  await expectText(page.locator('tr.entry [data-label="Warehouse"]').first(), 'east Lager Ost');
});

// Comes last, because then no finding is open.
test.each(['Copy', 'Mail'])('after %s, *Mark as told* hides the card', async (way) => {
  const { page, dialog, link } = await write(`${way}@example.com`);
  const card = page.locator('.work > li', {
    has: page.getByRole('link', { name: 'Lager Süd', exact: true }),
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // Nothing opens a mail here.
  await page.evaluate(
    "addEventListener('click', (event) => event.target.matches('a') && event.preventDefault())",
  );
  expect(await dialog.getByText('Mark as told').count()).toBe(0);
  if (way === 'Copy') await press(dialog, way);
  else await link.press('Enter');
  await expectAccessible(page);
  await press(dialog, 'Mark as told');
  await dialogIsGone(page);
  await expectSoon(() => card.filter({ visible: true }).count()).toBe(0);
  await page.locator('.work > li:focus').waitFor();
  await page.getByText('2 told').press('Enter');
  const undo = card.getByRole('button', { name: 'Undo' });
  for (const left of [1, 0]) {
    await undo.first().press('Enter');
    await expectSoon(() => undo.count()).toBe(left);
  }
});
