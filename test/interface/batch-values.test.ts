import { describe, expect, test } from 'vitest';
import { batchOf, storedBatch } from '../support/batches.ts';
import { expectFault } from '../support/problem.ts';
import { GOOD } from './good-entry.ts';
import { isDeployment, useService } from './service.ts';

const service = useService();

describe('a batch', () => {
  test('of none is refused', async () => {
    expectFault(
      await service().post('material-stock-balance', { MaterialCodes: [] }),
      '#/MaterialCodes',
      'at least one entry',
    );
  });

  test.each([
    ['an object', { 'ABC-1': GOOD }],
    ['null', null],
    ['an object of an empty Lua table', {}],
  ])('that is %s instead of an array is refused', async (_, MaterialCodes) => {
    const answer = await service().post('material-stock-balance', { MaterialCodes });
    expectFault(answer, '#/MaterialCodes', 'has to be an array of entries');
  });

  test('of 40,001 is a 413, and nothing is kept', async () => {
    const before = isDeployment ? 0 : (await service().tables.batches()).size;
    const answer = await service().post('material-stock-balance', batchOf(40_001));
    expect([answer.status, answer.json().detail]).toEqual([
      413,
      expect.stringContaining('at most 40,000 entries'),
    ]);
    if (!isDeployment) expect((await service().tables.batches()).size).toBe(before);
  });

  test('with one fault in its last entry is refused whole', async () => {
    const before = isDeployment ? 0 : (await service().tables.batches()).size;
    const batch = { MaterialCodes: [...batchOf(500).MaterialCodes, { ...GOOD, StockBalance: '1' }] };
    const answer = await service().post('material-stock-balance', batch);
    expectFault(answer, '#/MaterialCodes/500/StockBalance', 'JSON number');
    if (!isDeployment) expect((await service().tables.batches()).size).toBe(before);
  });
});

describe('a field that is not known is refused', () => {
  test('in a batch', async () => {
    const answer = await service().post('material-stock-balance', { MaterialCodes: [GOOD], Page: 1 });
    expectFault(answer, '#/Page', 'what is taken is MaterialCodes');
  });
});

// The last one, since whatever reads all of a table would read it, too.
test('a batch of 40,000 is kept whole', async () => {
  const batch = batchOf(40_000);
  const answer = await service().post('material-stock-balance', batch);
  await service().expectBatch(answer, storedBatch(batch));
});
