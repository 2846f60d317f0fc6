import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import { eventually, hashOf, press, readAgain, rows, startConsole } from './open-page.ts';

const { open, stop, restart } = startConsole();

test('the overview shows the late warehouse first and the batches of each day, and leads to batches and findings', async () => {
  const page = await open('#/overview');
  await eventually(() => rows(page).first().innerText()).toMatch(
    /^north\s+late\s+(\d{4}-\d\d-\d\d \d\d:\d\d\s+){2}\d\d h ago/,
  );
  const days = page.getByRole('region', { name: 'Batches by day' });
  const cells = days.getByRole('row', { name: /^warehouse/ }).getByRole('cell');
  await eventually(() => cells.nth(29).getAttribute('title')).toMatch(
    /^warehouse, \d{4}-\d\d-\d\d: 2 batches, \d+ changes?$/,
  );
  expect(await cells.count()).toBe(31);
  await page.locator('.no-batch').first().waitFor();
  const east = rows(page).filter({ has: page.getByRole('link', { name: 'east' }) });
  await eventually(() => east.innerText()).toMatch(/on time.* ago\s+44\s+−66/s);
  await east.locator('[data-label="Errors"] a').click();
  await page.locator('tr.entry', { hasText: 'Halved snapshot' }).waitFor();
  await eventually(() => hashOf(page)).toBe('#/findings?client=east&severity=error');
  await page.goBack();
  await press(page, 'Warehouse');
  await page.locator('a.bad', { hasText: '1 of 4 warehouses late' }).click();
  await eventually(() => rows(page).count()).toBe(1);
  expect(hashOf(page)).toBe('#/overview?sort=Client&late=true');
  await page.locator('tr:has(.mark.error)').getByRole('link', { name: 'north' }).click();
  await eventually(() => hashOf(page)).toBe('#/batches/north');
});

test('findings are filtered by kind and words, link to their subjects, and are read again once if the stock changes during a read', async () => {
  const page = await open('#/findings?kind=unit-differs');
  await eventually(() => rows(page).first().innerText()).toContain('Unit differs');
  // What is chosen has another border, which forced colours do not hide.
  await page.emulateMedia({ forcedColors: 'active' });
  const borderOf = (chosen: Element) => getComputedStyle(chosen).borderLeftStyle;
  for (const chosen of await page.locator('[aria-pressed="true"], [aria-current]').all())
    expect(await chosen.evaluate(borderOf)).toBe('double');
  await page.getByRole('button', { name: 'Unit differs', pressed: true }).click();
  await eventually(() => hashOf(page)).toBe('#/findings');
  const state = await page.evaluate(async () => (await fetch('api/state')).json());
  let [reads, readsMeanwhile] = [0, 0];
  await page.route(/state/, (route) => route.fulfill({ json: { ...state, version: Math.min(reads, 1) } }));
  await readAgain(page);
  const stateIsShown = async () => {
    for (const _ of [1, 2, 3]) await page.waitForResponse(/state/);
  };
  await page.route(/tables.findings\?.*halved/, async (route) => {
    reads += 1;
    if (reads > 1) return route.continue();
    await stateIsShown();
    readsMeanwhile = reads;
    return route.fulfill({ json: { columns: [], rows: [], hasMore: false } });
  });
  await stateIsShown();
  await page.getByLabel('Search').fill('halved east');
  await eventually(() => rows(page).count()).toBe(1);
  expect([readsMeanwhile, reads]).toEqual([1, 2]);
  await eventually(() => page.locator('.stock').getByRole('status').innerText()).toBe('1 finding');
  await rows(page).getByRole('link', { name: 'Batch of' }).click();
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\/east\/\d{4}-/);
});

test('the keyboard reaches every page, which shows that its time is not the latest, and links to the latest', async () => {
  const page = await open('#/overview');
  await page.keyboard.press('Tab');
  await page.locator(':focus', { hasText: 'Skip to the content' }).press('Enter');
  await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
  const showAsOf = async (time: string) => {
    await page.getByLabel('As of').fill(time);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**at=${time.slice(0, 10)}*`);
    await page.getByText(`stock as of ${time.replace('T', ' ')}`).waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe(time);
  };
  // A time that is typed in part stays.
  await page.getByLabel('As of').press('Backspace');
  await page.clock.setFixedTime(Date.now() + MINUTE_MS);
  for (const _ of [1, 2]) await page.waitForResponse(/state/);
  expect(
    await page.locator('input:invalid').evaluate((input: HTMLInputElement) => input.validity.badInput),
  ).toBe(true);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 16);
  await showAsOf(yesterday);
  await page.locator('tr', { hasText: /north.*on time.*\b(\d+ min|\d h) ago/s }).waitFor();
  await press(page, 'Show the latest stock');
  await page.locator('h1:focus').waitFor();
  expect(await page.getByLabel('As of').inputValue()).not.toBe(yesterday);
  // The address follows, also if the clock is set back.
  await page.clock.setFixedTime(Date.now() - DAY_MS);
  await showAsOf('2020-01-01T12:00');
  for (const title of ['Batches', 'Lists', 'Findings', 'Query', 'Clients', 'Materials']) {
    await page.getByRole('navigation').getByRole('link', { name: title }).press('Enter');
    await page.locator('h1:focus', { hasText: title }).waitFor();
    expect(await page.title()).toBe(`${title} · Warehouse console`);
    // In the bar, and above the content.
    const times = ['Lists', 'Clients'].includes(title) ? 0 : 2;
    await eventually(() => page.getByText('2020-01-01 12:00').count()).toBe(times);
  }
  await page.waitForURL(/#\/materials\?at=2020-01-01T11%3A00%3A00Z$/);
  await eventually(() => page.locator('.stock').getByRole('status').innerText()).toBe('0 balances');
  await press(page, 'Show the latest stock');
  await page.waitForURL(/#\/materials$/);
  await page.getByRole('link', { name: 'Kabel-8/001' }).first().waitFor();
});

test('a query in SQL is in the address, shows its rows as every table does, can be asked again and stopped, and says what is wrong with it', async () => {
  const then = '#/query?at=2020-01-01T00:00:00Z&sql=select count(*) from balance';
  const page = await open(then, { expected: /400 \(Bad Request\)/ });
  const row = rows(page).first();
  const run = page.getByRole('button', { name: 'Run' });
  await run.waitFor();
  expect(await rows(page).count()).toBe(0);
  await run.click();
  await eventually(() => row.innerText()).toBe('0');
  await page.getByLabel('Query in SQL').fill('select 1234.5 as Total, random() as Now, null as Empty');
  await press(page, 'Show the latest stock');
  await page.getByLabel('Query in SQL').press('Control+Enter');
  await eventually(() => row.innerText()).toMatch(/^1\u202f234,5/);
  await page.waitForURL(/Total/);
  await page.reload();
  await run.click();
  await eventually(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Total', 'Now', 'Empty']);
  const before = await row.innerText();
  // A change of the stock does not run the query again.
  await page.route(/tables.query/, (route) => route.abort());
  const state = await page.evaluate(async () => (await fetch('api/state')).json());
  await page.route(/state/, (route) => route.fulfill({ json: { ...state, version: -1 } }));
  for (const _ of [1, 2]) await page.waitForResponse(/state/);
  await page.unrouteAll();
  await run.click();
  await eventually(() => row.innerText()).not.toBe(before);
  const ask = async (sql: string) => {
    await page.getByLabel('Query in SQL').fill(sql);
    await run.click();
  };
  const numbers = 'with recursive n as (select 1 as n union all select n + 1 from n)';
  await ask(`${numbers} select sum(n) from n`);
  await press(page, 'Stop and clear');
  await page.getByText('Reading…').waitFor({ state: 'detached' });
  await ask(`${numbers} select n from n limit 1001`);
  await page.getByText('1\u202f001 rows').waitFor();
  await page.getByRole('columnheader').getByRole('button').click({ clickCount: 2 });
  await eventually(() => row.innerText()).toBe('1\u202f001');
  await ask('delete from balance');
  await page.waitForURL(/sql=delete\+from\+balance$/);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Show the usual order' }).count()).toBe(0);
  await page.getByRole('listitem').getByRole('button').first().click();
  await page.getByText(/^[\d\u202f]+ rows?$/).waitFor();
  const example = page.url();
  await page.getByRole('navigation').getByRole('link', { name: 'Query' }).click();
  await eventually(() => page.getByLabel('Query in SQL').inputValue()).toBe('');
  await ask('select 2 as Two');
  await eventually(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Two']);
  await page.goBack();
  await page.waitForURL(example);
  await eventually(() => page.getByRole('columnheader').count()).toBe(0);
  expect(hashOf(page).replaceAll('+', ' ')).toContain(await page.getByLabel('Query in SQL').inputValue());
  await page.getByText('Views').click();
  await page.getByText('warehouse, received_at, timestamp, request_id').waitFor();
  const manual = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Documentation' }).click();
  await (await manual).getByText('# Query the stock with SQL').waitFor();
});

test('a response that is cut off and a stopped console are reported, the data stays, and the page works again after a start', async () => {
  const page = await open('#/overview', { expected: /Failed to load resource/ });
  const alert = page.getByRole('alert').first();
  await page.route(/tables/, (route) => route.fulfill({ body: '{ "columns": [' }));
  const state = await page.evaluate(async () => (await fetch('api/state')).json());
  await page.route(/state/, (route) => route.fulfill({ json: { ...state, isFirstRead: true } }));
  const nothing = { warehouses: 0, late: 0, batches: 0, materials: 0, findings: { error: 0 } };
  await page.route(/overview/, (route) => route.fulfill({ json: nothing }));
  await page.reload();
  await page.getByText('The stock is still being read.').waitFor();
  await page.getByText('of 0 warehouses late').waitFor();
  expect(await page.getByText('There are no clients.').count()).toBe(0);
  await alert.getByText('The response of the console is not complete.').waitFor();
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await eventually(() => rows(page).count()).toBe(4);
  await stop();
  await eventually(() => alert.innerText()).toMatch(/does not respond/);
  expect(await rows(page).count()).toBe(4);
  await restart();
  await alert.getByText('link that the command printed').waitFor();
  const again = await open('#/overview');
  await eventually(() => rows(again).count()).toBe(4);
});
