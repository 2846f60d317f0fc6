import { expect, it } from 'vitest';
import { collectLog } from '../support/handlers.ts';
import { createTable, testClient } from '../support/tables.ts';
import { checkWatch } from './watch-model.ts';
import { engineStorage, memoryStorage } from './watch-storage.ts';

collectLog();

it.each([1, 2, 3])('each silence and each return is named once, while admins act (seed %i)', async (seed) => {
  const storage = memoryStorage();
  expect(await checkWatch({ seed, clientCount: 100, days: 11, storage })).toBeGreaterThan(900);
});

it('the same is true on an engine', async () => {
  const dynamodb = testClient();
  const tables = [await createTable('Clients'), await createTable('BalanceSnapshots')] as const;
  const storage = engineStorage(dynamodb, ...tables);
  expect(await checkWatch({ seed: 4, clientCount: 6, days: 4, storage })).toBeGreaterThan(10);
});
