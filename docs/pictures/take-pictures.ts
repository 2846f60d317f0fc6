import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { startConsole } from '../../admin/console/server/start-console.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { chromiumOptions } from '../../test/browser/tools.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

type Picture = { name: string; hash: string; prepare?: (page: Page) => Promise<void> };

const editAndReview = async (page: Page) => {
  await page.locator('tr.entry textarea').first().fill('Power cables');
  await page
    .getByRole('button', { name: /^Remove/ })
    .nth(2)
    .click();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Write/ }).waitFor();
};

const pictures: Picture[] = [
  { name: 'overview', hash: '#/overview' },
  { name: 'lists', hash: '#/lists', prepare: editAndReview },
];

const SIZE = { width: 1_280, height: 740 };

const takePictures = async (address: string) => {
  const browser = await chromium.launch(chromiumOptions);
  try {
    for (const { name, hash, prepare } of pictures) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
      await page.goto(`${address}${hash}`);
      await page.locator('h1').waitFor();
      await page.getByText('Reading…').waitFor({ state: 'detached' });
      await prepare?.(page);
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
};

// While `npm start -- --demo --memory` runs.
const session = await openSession({
  optsWithGlobals: () => ({ local: true, data: '.local', stack: '', separator: ',' }),
});
const { printedAddress, stop } = await startConsole(session, { port: 0 });
await takePictures(printedAddress);
await stop();
