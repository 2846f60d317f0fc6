import { expect, it } from 'vitest';
import { collectLog } from '../support/handlers.ts';
import { checkWatch } from './watch-model.ts';
import { memoryStorage } from './watch-storage.ts';

collectLog();

it('of 2,000 clients, each silence and each return is named once, while admins act for two weeks', async () => {
  const storage = memoryStorage();
  expect(await checkWatch({ seed: 5, clientCount: 2_000, days: 14, storage })).toBeGreaterThan(20_000);
}, 600_000);
