import { expect, test } from 'vitest';
import { isLate } from '../../admin/deployment/is-late.ts';

const now = Date.parse('2026-11-22T09:30:00.000Z');

test.each([
  ['an hour before the limit', 24, '2026-11-21T10:30:00.000Z', false],
  ['a millisecond before the limit', 24, '2026-11-21T09:30:00.001Z', false],
  ['at the limit', 24, '2026-11-21T09:30:00.000Z', true],
  ['without a batch', 24, undefined, true],
  ['where nobody waits for its batches', 0, undefined, false],
  ['in a deployment that does not name the hours', undefined, '2026-11-22T09:29:59.000Z', undefined],
])('a client is late as its alarm goes off: %s', (_, silenceHours, lastBatchAt, late) => {
  expect(isLate(silenceHours, lastBatchAt ? Date.parse(lastBatchAt) : undefined, now)).toBe(late);
});
