import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startStock } from '../../admin/console/processes/start-stock.ts';
import { startConsole } from '../../admin/console/server/start-console.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { chromiumOptions } from '../../test/browser/tools.ts';

// While `npm start -- --demo --memory` runs.
const session = await openSession({ local: true, data: '.local', stack: '' });
const { printedLink, stop } = await startConsole(session, { port: 0, stock: startStock(session) });
const browser = await chromium.launch(chromiumOptions);
const page = await browser.newPage({ viewport: { width: 1_280, height: 740 }, colorScheme: 'light' });

const takePicture = async (name: string) => {
  await page.waitForTimeout(500);
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) });
};

try {
  await page.goto(`${printedLink}#/overview`);
  await page.locator('.work').waitFor();
  await page.getByText('still being read').first().waitFor({ state: 'detached', timeout: 120_000 });
  await takePicture('overview');

  await page.goto(`${printedLink}#/lists`);
  await page.locator('tr.entry textarea').first().fill('Power cables');
  await page
    .getByRole('button', { name: /^Remove/ })
    .nth(2)
    .click();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Write/ }).waitFor();
  await takePicture('lists');
} finally {
  await browser.close();
  await stop();
}
