import { describe, expect, test } from 'vitest';
import { contrasts } from './contrast.ts';
import { columnOf, startBrowser } from './open-page.ts';
import {
  CLIENTS,
  HOSTILE_DETAIL,
  HOSTILE_NAME,
  HOSTILE_UNIT,
  large,
  reportOf,
  SILENT_DAYS,
  sample,
} from './sample.ts';

const open = startBrowser();

const BALANCES = 'balances-table';
const [MATERIAL, NAME, BALANCE, UNIT, RECEIVED] = [1, 2, 4, 5, 7];

describe('the page of a report', () => {
  test('shows its deployment, period and figures, and asks the network for nothing', async () => {
    const page = await open();
    const period = '2026-03-01 09:30 to 2026-03-31 09:30 UTC (30 d)';
    expect(await page.title()).toContain('the stack WarehouseControl in eu-central-1, 2026-03-31 09:30 UTC');
    expect(await page.locator('#about').innerText()).toContain(period);
    expect(await page.locator('#figures dd').allInnerTexts()).toEqual(['38', '228', '6', '91', '5']);
    expect(await page.locator('#notes').innerText()).toContain('1 snapshot could not be read');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('shows hostile data as text', async () => {
    const page = await open();
    expect(await columnOf(page, BALANCES, UNIT)).toContain(HOSTILE_UNIT);
    expect(await columnOf(page, BALANCES, NAME)).toContain(HOSTILE_NAME);
    expect(await columnOf(page, 'findings-table', 3)).toContain(HOSTILE_DETAIL);
    await page.getByRole('link', { name: 'Rohr-2/10' }).first().click();
    expect(await page.locator('#history figcaption').innerText()).toBe(`Balance in ${HOSTILE_UNIT}`);
    expect(await page.locator('#history .chart').innerText()).toContain(HOSTILE_UNIT);
    expect(await page.locator('img, main b, main svg[onload]').count()).toBe(0);
  });

  test('shows every section in print', async () => {
    const page = await open({ hash: '#material=ABC-1', width: 700 });
    await page.emulateMedia({ media: 'print' });
    for (const id of ['balances', 'history', 'arrivals', 'findings']) {
      expect(await page.locator(`#${id} h2`).isVisible()).toBe(true);
      expect(await page.locator(`#${id} table`).first().isVisible()).toBe(true);
    }
    expect(await page.locator('#history svg[role=img]').isVisible()).toBe(true);
    expect(await page.locator('input, nav, button:not(.sort)').filter({ visible: true }).count()).toBe(0);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has enough contrast for text in ${colorScheme} colours`, async () => {
      const page = await open({ colorScheme, hash: '#material=ABC-1' });
      const found = await contrasts(page);
      expect(found.texts.length).toBeGreaterThan(100);
      expect(found.texts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
      expect(found.backgroundLuminance < 0.1).toBe(colorScheme === 'dark');
    });
  }

  for (const width of [360, 865, 1_024]) {
    test(`needs no scrolling to the side in a window of ${width} pixels`, async () => {
      const page = await open({ width, height: 740, hash: '#material=Rohr-2%2F10' });
      expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await page.locator(`#${BALANCES} tbody tr`).first().isVisible()).toBe(true);
    });
  }

  test('search ignores letter case and the spelling of accents, and matches all words', async () => {
    const page = await open();
    const found = async (query: string) => {
      await page.getByPlaceholder('Code, name, order').fill(query);
      return new Set(await columnOf(page, BALANCES, MATERIAL));
    };
    expect(await found('сталь')).toEqual(new Set(['Сталь-10/А']));
    expect(await page.locator('#balances-count').innerText()).toBe('2 matches of 12 balances');
    expect(await found('śruba-7'.normalize('NFC'))).toEqual(new Set(['Śruba-7'.normalize('NFD')]));
    expect(await found('bolt south')).toEqual(new Set(['ABC-1']));
    expect(await found('ot4500001')).toEqual(new Set(['ABC-1']));
    expect(await found('nothing like it')).toEqual(new Set());
    expect(await page.locator('#balances-count').innerText()).toBe('0 matches of 12 balances');
  });

  test('sorts both ways by any column, numbers within codes as numbers', async () => {
    const page = await open();
    const codes = ['ABC-1', 'Kabel-5', 'Rohr-2/9', 'Rohr-2/10', 'Śruba-7'.normalize('NFD'), 'Сталь-10/А'];
    expect([...new Set(await columnOf(page, BALANCES, MATERIAL))]).toEqual(codes);
    const sortBy = async (title: string) => {
      await page.locator(`#${BALANCES}`).getByRole('button', { name: title }).click();
      return page.locator(`#${BALANCES} th[aria-sort]`).evaluate((head) => [head.textContent, head.ariaSort]);
    };
    expect(await sortBy('Balance')).toEqual(['Balance', 'ascending']);
    const numbers = (await columnOf(page, BALANCES, BALANCE)).map(toNumber);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers[0]).toBeLessThan(0);
    expect(await sortBy('Balance')).toEqual(['Balance', 'descending']);
    expect((await columnOf(page, BALANCES, BALANCE)).map(toNumber)).toEqual(numbers.toReversed());
    await sortBy('Material');
    await sortBy('Material');
    expect([...new Set(await columnOf(page, BALANCES, MATERIAL))]).toEqual(codes.toReversed());
  });

  test('shows the receipt and the age of a balance, and sorts by it', async () => {
    const page = await open();
    const title = page.locator(`#${BALANCES}`).getByRole('button', { name: 'Received (UTC)' });
    await title.click();
    const [oldest] = await columnOf(page, BALANCES, RECEIVED);
    expect(oldest).toBe('2026-03-28 10:30\n2 d old');
    await title.click();
    const [newest] = await columnOf(page, BALANCES, RECEIVED);
    expect(newest).toBe('2026-03-30 09:30\n24 h old');
    expect(await page.locator('#balances-lead').innerText()).toContain('from 2026-03-01 on');
    await page.setViewportSize({ width: 360, height: 740 });
    const receipt = page.locator(`#${BALANCES} .receipt`).first();
    expect(await receipt.isVisible()).toBe(true);
    expect(await receipt.textContent()).toBe('2026-03-30 09:30 24 h old');
  });

  test('marks a balance below zero with more than a colour', async () => {
    const page = await open();
    await page.getByPlaceholder('Code, name, order').fill('Сталь north');
    const [text = ''] = await columnOf(page, BALANCES, BALANCE);
    expect(text).toContain('−415.583');
    expect(await page.locator('.below').first().textContent()).toContain('below zero');
  });
});

const toNumber = (text: string) => Number(text.replace(/\(.*|,/g, '').replace('−', '-'));

describe('the history of a material', () => {
  test('is drawn for the row that is clicked, a step for each change', async () => {
    const page = await open();
    await page.locator(`#${BALANCES} tr.row`).first().locator('td').nth(2).click();
    expect(new URL(page.url()).hash).toBe('#material=ABC-1');
    expect(await page.locator('#history h3').first().innerText()).toBe('ABC-1');
    const steps = page.locator('#history .steps path');
    const paths = await steps.evaluateAll((drawn) => drawn.map((path) => path.getAttribute('d') ?? ''));
    // A step goes to the side and then up or down: two lines for each statement after the first.
    expect(paths.map((path) => (path.match(/L/g) ?? []).length)).toEqual([2 * 27, 2 * 9]);
    expect(await page.locator('#history-count').innerText()).toBe('38 statements');
    const chosen = page.locator(`#${BALANCES} tr[aria-current=true]`);
    expect(await chosen.count()).toBe(2);
    await page.getByPlaceholder('Code, name, order').fill('north');
    expect(await chosen.count()).toBe(1);
  });

  test('can be linked to, and a link to a section leaves it', async () => {
    const page = await open({ hash: `#material=${encodeURIComponent('Сталь-10/А')}` });
    expect(await page.locator('#history dl').innerText()).toContain('Лист 10 мм');
    await page.getByRole('link', { name: 'Arrivals' }).click();
    expect(await page.locator('#history h3').first().innerText()).toBe('Сталь-10/А');
  });

  test('shows an unknown material as unknown, and ignores a broken address', async () => {
    const page = await open({ hash: '#material=%3Cimg%20src%3Dx%3E' });
    const unknown = 'No client sent a balance of <img src=x> in this period.';
    expect(await page.locator('#history-body').innerText()).toContain(unknown);
    const other = await open({ hash: '#material=%E0%A4%A' });
    expect(await other.locator('#history-body').innerText()).toContain('Choose a material');
  });

  test('shows the value at the pointer', async () => {
    const page = await open({ hash: '#material=ABC-1' });
    await page.locator('#history svg[role=img]').hover({ position: { x: 500, y: 150 } });
    const tip = page.locator('#history g[aria-label=tip]');
    await tip.getByText('UTC').waitFor();
    expect(await tip.textContent()).toMatch(/(north|south).*2026-03-\d\d \d\d:30:00 UTC.*kg/);
  });

  test('moves the focus to the first new row', async () => {
    const page = await open({ hash: '#material=ABC-1' });
    await page.getByRole('button', { name: 'Show the other 18' }).focus();
    await page.keyboard.press('Enter');
    const rows = page.locator('#changes-table tr.entry');
    expect(await rows.count()).toBe(38);
    expect(await rows.nth(20).evaluate((row) => row === document.activeElement)).toBe(true);
  });

  test('is found with the keyboard alone', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('rohr');
    expect(await page.locator('#balances-count').innerText()).toBe('4 matches of 12 balances');
    for (const _ of [MATERIAL, NAME, 3, BALANCE]) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator(`#${BALANCES} th[aria-sort=ascending]`).innerText()).toContain('Balance');
    await page.locator('#material').focus();
    await page.keyboard.type('bolt');
    expect(await page.locator('#material-choices option').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await page.locator('#history h3').first().innerText()).toBe('ABC-1');
  });
});

test('the arrivals have a bar for each day and client, and stripes for the days of silence', async () => {
  const page = await open();
  const data = sample();
  const charts = page.locator('#arrivals figure');
  expect(await charts.nth(0).locator('.bars rect').count()).toBe(data.snapshots.at.length);
  expect(await charts.nth(1).locator('.bars rect').count()).toBe(data.changes.count.length);
  for (const chart of [0, 1]) {
    expect(await charts.nth(chart).locator('.silent rect').count()).toBe(SILENT_DAYS.length);
  }
  const changeBars = charts.nth(1).locator('.bars rect');
  const heights = await changeBars.evaluateAll((bars) => bars.map((bar) => bar.getAttribute('height')));
  const inOrder = (values: readonly unknown[]) => values.map(Number).toSorted((a, b) => a - b);
  const [unit = 1] = inOrder(heights);
  const counts = inOrder(data.changes.count);
  const heightOfOne = unit / (counts[0] ?? 1);
  expect(inOrder(heights).map((height) => Math.round(height / heightOfOne))).toEqual(counts);
  expect(await columnOf(page, 'clients-table', 1)).toEqual(CLIENTS);
  expect(await columnOf(page, 'clients-table', 5)).toEqual(['2', '20']);
});

test('the findings are grouped by kind, and narrowed by kind and by words', async () => {
  const page = await open();
  const groups = page.locator('#findings-table tr.group');
  const kinds = ['Codes with a balance that the list lacks 3', 'Units that differ 2'];
  expect(await groups.allInnerTexts()).toEqual(kinds);
  const kind = page.getByRole('button', { name: 'Units that differ' });
  await kind.click();
  expect(await kind.getAttribute('aria-pressed')).toBe('true');
  expect(await columnOf(page, 'findings-table', 1)).toEqual(['ABC-1', 'Сталь-10/А']);
  expect(await page.locator('#findings-count').innerText()).toBe('2 of 5 findings');
  await page.getByPlaceholder('Subject, client or detail').fill('NOW T');
  expect(await columnOf(page, 'findings-table', 1)).toEqual(['Сталь-10/А']);
  await page.locator('#findings-table').getByRole('link', { name: 'Сталь-10/А' }).click();
  expect(await page.locator('#history h3').first().innerText()).toBe('Сталь-10/А');
});

test('40,000 balances are searched, sorted and drawn a part at a time', async () => {
  const page = await open({ data: large() });
  const rows = page.locator(`#${BALANCES} tr.row`);
  expect(await page.locator('#balances-count').innerText()).toBe('40,000 balances');
  expect(await rows.count()).toBe(100);
  await page.getByRole('button', { name: 'Show 100 more of 39,900' }).click();
  expect(await rows.count()).toBe(200);
  expect(await rows.nth(100).evaluate((row) => row.querySelector('a') === document.activeElement)).toBe(true);
  await page.locator(`#${BALANCES}`).getByRole('button', { name: 'Balance' }).click();
  expect(await rows.first().locator('td').nth(1).innerText()).toContain('−10');
  await page.getByPlaceholder('Code, name, order').fill('m-39999');
  expect(await columnOf(page, BALANCES, MATERIAL)).toEqual(['M-39999']);
  await page.locator('#material').fill('M-12345');
  expect(await page.locator('#history h3').first().innerText()).toBe('M-12345');
});

test('a page without any data shows zeros', async () => {
  const page = await open({ data: reportOf() });
  expect(await page.locator('#balances-count').innerText()).toBe('0 balances');
  expect(await page.locator('#findings').innerText()).toContain('The check found nothing.');
  expect(await columnOf(page, 'clients-table', 3)).toEqual(['not in this period', 'not in this period']);
});
