import { expect, test } from 'vitest';
import { readRows } from '../../admin/lists/files/read-rows.ts';
import { findingsIn } from './stock/checks/checked-stock.ts';
import { entry } from './stock/make-stock.ts';

// Quadratic work would take longer than a test may.
test('findings are found in large lists and batches', () => {
  const codes = Array.from({ length: 50_000 }, (_, index) => `Сталь-${index}/А`);
  const entries = Array.from({ length: 20_000 }, (_, index) => entry(`Cталь-${index}/А`, 1, `unit ${index}`));
  const latest = ['north', 'south'].map((client) => ({ client, entries }));
  const counts = new Map<string, number>();
  for (const { kind, count } of findingsIn({ codes, latest }))
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  expect(counts.get('unlisted-code')).toBe(40_000);
  expect(counts.get('no-balance')).toBe(50_000);
});

test('a CSV file is refused before its end, once it is far too long', async () => {
  const codes = Array.from({ length: 200_000 }, (_, index) => `${'x'.repeat(240)}-${index}`);
  const read = readRows(Buffer.from(['MaterialCode', ...codes].join('\n')), 'MaterialCodes', {});
  await expect(read).rejects.toThrow(
    /too long for the API: its first [\d,]+ rows need 25,\d+,\d+ bytes of a response.*About 23,\d+ such rows fit/,
  );
});
