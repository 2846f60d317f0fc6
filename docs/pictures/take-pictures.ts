import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { startConsole } from '../../admin/console/server/start-console.ts';
import { openSession } from '../../admin/deployment/session.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Its name is in the pictures. */
const DATA = '.local/demo';

type Picture = {
  name: string;
  hash: string;
  width?: number;
  isDark?: true;
  prepare?: (page: Page) => Promise<void>;
};

const compareWithPrevious = async (page: Page) => {
  await page.locator('tr.entry').first().getByRole('link').last().click();
};

const editAndReview = async (page: Page) => {
  await page.locator('tr.entry textarea').first().fill('Cable 1 mm²');
  await page
    .getByRole('button', { name: /^Remove/ })
    .nth(2)
    .click();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Write/ }).waitFor();
};

const pictures: Picture[] = [
  { name: 'overview', hash: '#/overview' },
  { name: 'overview-dark', hash: '#/overview', isDark: true },
  { name: 'materials', hash: '#/materials' },
  { name: 'material', hash: '#/materials/Rohr-4%2F007' },
  { name: 'batches', hash: '#/batches' },
  { name: 'comparison', hash: '#/batches/south', prepare: compareWithPrevious },
  { name: 'lists', hash: '#/lists', prepare: editAndReview },
  { name: 'findings', hash: '#/findings' },
  { name: 'clients', hash: '#/clients' },
  { name: 'phone', hash: '#/overview', width: 360 },
];

const HEIGHT = 800;

/** Starts a local run with the demo. */
const startDemo = async () => {
  const args = [
    join(PROJECT, 'local/cli/main.ts'),
    '--demo',
    '--memory',
    '--port',
    '0',
    '--quiet',
    '--data',
    DATA,
  ];
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Ready')) break;
  return async () => {
    child.kill();
    await once(child, 'exit');
  };
};

const takePictures = async (address: string) => {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    for (const { name, hash, width = 1_280, isDark, prepare } of pictures) {
      const page = await browser.newPage({
        viewport: { width, height: HEIGHT },
        colorScheme: isDark ? 'dark' : 'light',
      });
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

process.chdir(PROJECT);
const stopDemo = await startDemo();
try {
  const session = await openSession({
    optsWithGlobals: () => ({ local: true, data: DATA, stack: '', separator: ',' }),
  });
  const { printedAddress, stop } = await startConsole(session, { port: 0 });
  await takePictures(printedAddress);
  await stop();
} finally {
  await stopDemo();
  rmSync(DATA, { recursive: true, force: true });
}
