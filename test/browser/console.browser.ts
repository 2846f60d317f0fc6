import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import { eventually, expectAccessible, hashOf, press, rows, startConsole } from './open-page.ts';

const { open, sendBatch } = startConsole();

test('the overview shows the late warehouse first and the batches of each day, and leads to batches and findings', async () => {
  const page = await open('#/overview');
  await eventually(() => rows(page).first().innerText()).toMatch(
    /^north\s+late\s+(\d{4}-\d\d-\d\d \d\d:\d\d\s+){2}\d\d h ago/,
  );
  const days = page.getByRole('region', { name: 'Batches by day' });
  const cells = days.getByRole('row', { name: /^warehouse/ }).getByRole('cell');
  await eventually(() => cells.nth(29).getAttribute('title')).toMatch(
    /^warehouse, \d{4}-\d\d-\d\d: \d batch(es)?, \d+ changes?$/,
  );
  expect(await cells.count()).toBe(31);
  await page.locator('.no-batch').first().waitFor();
  const east = rows(page).filter({ has: page.getByRole('link', { name: 'east' }) });
  await eventually(() => east.innerText()).toMatch(/on time.* ago\s+44\s+−66/s);
  await expectAccessible(page);
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

test('a batch shows its entries, can be searched, and is compared with one of the same or of all warehouses, in any order, the older one as before', async () => {
  const changed = { MaterialCode: 'A', StockBalance: 1_000.25 };
  await sendBatch([changed, ...['gone', 'same', 'unit'].map((MaterialCode) => ({ MaterialCode }))]);
  await sendBatch([
    { ...changed, StockBalance: 999.5, PurchaseOrders: ['OT1234567'] },
    { MaterialCode: 'new', StockBalance: 2 },
    { MaterialCode: 'same' },
    { MaterialCode: 'unit', StockBalanceUnit: 't' },
  ]);
  const page = await open('#/batches/warehouse');
  await eventually(() => rows(page).first().innerText()).toMatch(/\twarehouse\t4\t0\tloaded$/);
  await expectAccessible(page);
  await rows(page).first().getByRole('link').first().click();
  await page.getByText(/^Batch \d{4}-.*, request /).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Search').fill('SAME');
  await eventually(() => rows(page).allInnerTexts()).toEqual(['same\t1\tkg\t']);
  await page.getByRole('link', { name: 'Compare with another' }).click();
  await page.getByText(/^Choose the batch to compare with warehouse, /).waitFor();
  expect(await rows(page).filter({ hasNotText: 'warehouse' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Received' }).click({ clickCount: 2 });
  await page.getByRole('combobox', { name: 'Warehouse' }).press('Home');
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\?one=/);
  const halved = rows(page).filter({ hasText: 'east', has: page.locator('.below') });
  await eventually(() => halved.innerText()).toMatch(/east\s+44\s+−66\s+loaded$/);
  expect(await page.locator('select:focus').count()).toBe(1);
  await rows(page).nth(1).getByRole('link', { name: 'warehouse' }).click();
  await eventually(() => hashOf(page)).toMatch(/^#\/batches\/warehouse\?one=warehouse.*&sort=-ReceivedAt$/);
  await rows(page).nth(1).getByRole('link').first().click();
  await eventually(() => page.locator('h2').allInnerTexts()).toEqual(
    ['Before', 'After'].map((side) => expect.stringMatching(`${side}: warehouse, [-\\d]+ (\\d\\d:?){3} `)),
  );
  await eventually(() => rows(page).allInnerTexts()).toEqual([
    'changed\tA\t1\u202f000,25\t999,5\t−0,75\tkg\tkg\t\tOT1234567',
    'gone\tgone\t1\t\t\tkg\t\t\t',
    'added\tnew\t\t2\t\t\tkg\t\t',
    'changed\tunit\t1\t1\t\tkg\tt\t\t',
  ]);
  await expectAccessible(page);
  const gone = await open('#/batches/south/2020-01-01T00:00:00.000Z-x');
  await gone.getByText('There is no such batch.').waitFor();
  const nothing = (await open('#/constructor')).locator('main');
  expect(await nothing.innerText()).toMatch(/^No such page\n[^[]*$/);
});

test('findings are filtered by kind and words, link to their subjects, and are read again once if the stock changes during a read', async () => {
  const page = await open('#/findings?kind=unit-differs');
  await eventually(() => rows(page).first().innerText()).toContain('Unit differs');
  await expectAccessible(page);
  // What is chosen has another border, which forced colours do not hide.
  await page.emulateMedia({ forcedColors: 'active' });
  const borderOf = (chosen: Element) => getComputedStyle(chosen).borderLeftStyle;
  for (const chosen of await page.locator('[aria-pressed="true"], [aria-current]').all())
    expect(await chosen.evaluate(borderOf)).toBe('double');
  await page.getByRole('button', { name: 'Unit differs', pressed: true }).click();
  await eventually(() => hashOf(page)).toBe('#/findings');
  const state = await page.evaluate(async () => (await fetch('api/state')).json());
  let [reads, readsMeanwhile] = [0, 0];
  state.isFirstRead = true;
  await page.route(/state/, (route) => route.fulfill({ json: { ...state, version: Math.min(reads, 1) } }));
  await page.evaluate("setInterval(() => dispatchEvent(new Event('focus')), 200)");
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
  // Before the end of the first read.
  const json = { warehouses: 0, late: 0, batches: 0, materials: 0, findings: { error: 0 } };
  await page.route(/overview/, (route) => route.fulfill({ json }));
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('of 0 warehouses late').waitFor();
  await page.getByText('The stock is still being read.').waitFor();
  expect(await page.getByText('There are no clients.').count()).toBe(0);
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
  await page.waitForFunction("document.querySelector('input:invalid')?.validity.badInput");
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 16);
  await showAsOf(yesterday);
  await page.locator('tr', { hasText: /north.*on time.*\b(\d+ min|\d h) ago/s }).waitFor();
  await expectAccessible(page);
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

test('no script can put a text into the page as HTML', async () => {
  const page = await open('#/overview', { expected: /TrustedHTML/ });
  const put = `document.querySelector('h1').innerHTML = '<img src=x>'`;
  await expect(page.evaluate(put)).rejects.toThrow(/requires 'TrustedHTML'/);
  expect(await page.locator('h1 img').count()).toBe(0);
});

test('a time in the future is refused, in the field and in the address', async () => {
  const page = await open('#/overview', { expected: /400 \(Bad Request\)/ });
  // The field offers every minute of today. Midnight comes between, and does not matter.
  await page.clock.setFixedTime(`${new Date().toISOString().slice(0, 10)}T03:00:00Z`);
  const field = page.getByLabel('As of');
  const later = await page.evaluate(() => new Date(Date.now() + 60_000).toLocaleString('sv-SE').slice(0, 16));
  const typed = later.replace(' ', 'T');
  await field.fill(typed);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(`${later} is in the future. Choose a time up to now.`).waitFor();
  expect(page.url()).not.toContain('at=');
  expect(await field.inputValue()).toBe(typed);
  expect(await page.getByText('This is the stock as of').count()).toBe(0);
  await expectAccessible(page);
  await field.fill('2020-01-01T12:00');
  await page.keyboard.press('Enter');
  await page.getByText('This is the stock as of').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.evaluate(() => {
    location.hash = '#/overview?at=2199-01-01T00:00:00Z';
  });
  await page.getByText('2199-01-01 01:00 is in the future').waitFor();
  await page.getByText('The time in the address is in the future.').waitFor();
  expect(await page.getByText('This is the stock as of').count()).toBe(0);
  await press(page, 'Show the latest stock');
  await page.getByText('warehouses late').waitFor();
});

test('a query with an error says so, and neither waits nor offers its rows', async () => {
  const page = await open('#/query', { expected: /400 \(Bad Request\)/ });
  const run = async (sql: string) => {
    await page.getByLabel('Query in SQL.').fill(sql);
    await press(page, 'Run');
  };
  await run('select nope');
  await page.getByRole('alert').getByText('no such column: nope').waitFor();
  expect(await page.locator('[aria-busy=true]').count()).toBe(0);
  expect(await page.getByText(/^(Download|Print) these rows/).count()).toBe(0);
  await expectAccessible(page);
  await run('select 7 as found');
  await rows(page).getByText('7', { exact: true }).waitFor();
  expect(await page.getByText(/^(Download|Print) these rows/).count()).toBe(2);
});

test('a query in SQL is in the address, shows its rows as every table does, and can be asked again and stopped', async () => {
  const then = '#/query?at=2020-01-01T00:00:00Z&sql=select count(*) from balance';
  const page = await open(then);
  const row = rows(page).first();
  const run = page.getByRole('button', { name: 'Run' });
  const sql = page.getByLabel('Query in SQL');
  await run.waitFor();
  expect(await rows(page).count()).toBe(0);
  await run.click();
  await eventually(() => row.innerText()).toBe('0');
  await sql.fill('select 1234.5 as Total, random() as Now, null as Empty');
  await press(page, 'Show the latest stock');
  await sql.press('Control+Enter');
  await eventually(() => row.innerText()).toMatch(/^1\u202f234,5/);
  await expectAccessible(page);
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
  await sql.fill('with recursive n as (select 1 as n union all select n + 1 from n) select sum(n) from n');
  await run.click();
  await press(page, 'Stop and clear');
  await page.getByText('Reading…').waitFor({ state: 'detached' });
  await page.getByRole('listitem').getByRole('button').first().click();
  await page.getByText(/^[\d\u202f]+ rows?$/).waitFor();
  const example = page.url();
  await page.getByRole('navigation').getByRole('link', { name: 'Query' }).click();
  await eventually(() => sql.inputValue()).toBe('');
  await sql.fill('select 2 as Two');
  await run.click();
  await eventually(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Two']);
  await page.goBack();
  await page.waitForURL(example);
  await eventually(() => page.getByRole('columnheader').count()).toBe(0);
  expect(hashOf(page).replaceAll('+', ' ')).toContain(await sql.inputValue());
  await page.getByText('Views').click();
  await page.getByText('warehouse, received_at, timestamp, request_id').waitFor();
  const manual = page.getByRole('link', { name: 'Documentation' });
  expect(await manual.getAttribute('href')).toBe('api/query/manual');
});

test('a response that is cut off and a console that does not respond are reported, the data stays, and the page works again', async () => {
  const page = await open('#/overview', { expected: /Failed to load resource/ });
  const alert = page.getByRole('alert').first();
  await page.route(/tables/, (route) => route.fulfill({ body: '{ "columns": [' }));
  await page.reload();
  await alert.getByText('The response of the console is not complete.').waitFor();
  expect(await page.getByRole('button', { name: 'Show the usual order' }).count()).toBe(0);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await eventually(() => rows(page).count()).toBe(4);
  await page.route(/api/, (route) => route.abort());
  await eventually(() => alert.innerText()).toMatch(/does not respond/);
  expect(await rows(page).count()).toBe(4);
  await page.unrouteAll();
  await alert.waitFor({ state: 'detached' });
});
