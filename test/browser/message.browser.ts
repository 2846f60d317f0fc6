import { expect, test } from 'vitest';
import { dialogIsGone, expectAccessible, expectSoon, press, startConsole } from './open-page.ts';

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
  const text = dialog.getByRole('textbox');
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
