import { expect, it } from 'vitest';
import { storeClient } from '../../../functions/store/store-client.ts';
import { rushes, simulateRush } from './throttled-table.ts';

/** `npm run throttling` does the same a hundred times. */
it.each(rushes)('keeps $name in time, although partitions of a new table refuse parts', async (rush) => {
  const { answers, calls } = await simulateRush(storeClient, rush);
  expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
  expect(calls).toBeGreaterThan(rush.batches * rush.parts);
});
