import { expect, test } from 'vitest';
import { findFaults } from '../../../admin/check/find-faults.ts';
import { entryOf } from '../../browser/sample.ts';

// Quadratic work would take longer than a test may.
test('faults are found in large lists and batches', () => {
  const codes = Array.from({ length: 50_000 }, (_, index) => ({ MaterialCode: `Сталь-${index}/А` }));
  const entries = Array.from({ length: 20_000 }, (_, index) =>
    entryOf(`Cталь-${index}/А`, 1, `unit ${index}`),
  );
  const latest = ['north', 'south'].map((client) => ({ client, entries }));
  expect(findFaults({ codes, orders: [], latest })).toHaveLength(40_000 + 50_000 + 20_000);
});
