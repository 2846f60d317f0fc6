import { expect, test } from 'vitest';
import { findFaults } from '../../admin/check/find-faults.ts';
import { readRows } from '../../admin/import/read-rows.ts';
import { entryOf } from '../browser/sample.ts';

// Quadratic work would take longer than a test may.
test('faults are found in large lists and batches', () => {
  const codes = Array.from({ length: 50_000 }, (_, index) => ({ MaterialCode: `Сталь-${index}/А` }));
  const entries = Array.from({ length: 20_000 }, (_, index) =>
    entryOf(`Cталь-${index}/А`, 1, `unit ${index}`),
  );
  const latest = ['north', 'south'].map((client) => ({ client, entries }));
  expect(findFaults({ codes, orders: [], latest })).toHaveLength(40_000 + 50_000 + 20_000);
});

test('a CSV file is refused before its end, once it is far too long', async () => {
  async function* endless() {
    yield Buffer.from('MaterialCode\n');
    for (let block = 0; ; block += 1) {
      const codes = Array.from({ length: 5_000 }, (_, index) => `${'x'.repeat(240)}${block}-${index}\n`);
      yield Buffer.from(codes.join(''));
    }
  }
  await expect(readRows(endless(), 'MaterialCodes', { notice: () => {} })).rejects.toThrow(
    /too long for the API: its first [\d,]+ rows need 25,\d+,\d+ bytes of a response.*About 23,\d+ such rows fit/,
  );
});
