import { expect, it } from 'vitest';
import { storeClient } from '../../../functions/store/store-client.ts';
import { rushes, simulateRush } from './throttled-table.ts';

// Several clients have more partition keys, so that their parts are throttled less.
const rushesOfOne = rushes.filter(({ clients }) => clients === 1);

it.each(rushesOfOne)(
  'stores $name in time, although the partitions of a new table throttle parts',
  async (rush) => {
    const { answers, calls } = await simulateRush(storeClient, rush, 'BalanceSnapshots');
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
    expect(calls).toBeGreaterThan(rush.batches * rush.parts);
  },
);
