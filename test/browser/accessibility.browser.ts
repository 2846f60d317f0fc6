import { test } from 'vitest';
import { DAY_MS } from '../../shared/time.ts';
import { expectAccessible, startConsole } from './open-page.ts';

const { open } = startConsole();

const editClient = ['#/clients', '[aria-label="Edit east"]'] as const;
const editList = [
  '#/lists/codes',
  '[aria-label="Name of Kabel-8/010"]',
  '[aria-label="Remove Kabel-8/011"]',
  '[name=identifier]',
  'text="Add a row"',
  'text="Which rows?"',
] as const;

const pages: Record<string, readonly [hash: string, ...clicks: string[]]> = {
  'the overview': ['#/overview'],
  'the findings': ['#/findings'],
  'an earlier time': [`#/overview?at=${new Date(Date.now() - DAY_MS).toISOString()}`],
  'the batches': ['#/batches'],
  'a batch': ['#/batches/east', 'tr.entry a', 'text=/, request /'],
  'a comparison': ['#/batches/east', 'text="−66"'],
  'the materials': ['#/materials'],
  'the totals of materials': ['#/materials?show=totals'],
  'a material': ['#/materials/Kabel-8%2F003'],
  'a query': ['#/query?sql=select%201.5', 'text="Run"'],
  'the clients': ['#/clients'],
  'a client to change': [...editClient, 'dialog h2'],
  'a new password': [...editClient, 'text="New password"', 'text=/^The new password of|^Two passwords/'],
  'an edited list': editList,
  'a reviewed list': [...editList, 'text="Review"', 'text=/^To write: /'],
};

test.each(Object.entries(pages))(
  '%s has no violation of axe in German and Russian, and fits a phone',
  async (_, [hash, ...clicks]) => {
    for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark', locale: 'ru-RU' }] as const) {
      const page = await open(hash, look);
      for (const selector of clicks) {
        await page.locator(selector).first().click();
        // Fills a field.
        await page.keyboard.type('0');
      }
      await page.locator('tr.entry, figure').first().waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectAccessible(page);
    }
  },
);
