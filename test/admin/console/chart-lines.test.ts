import { describe, expect, test } from 'vitest';
import type { MaterialLine } from '../../../admin/console/api.ts';
import {
  clippedRange,
  formatTick,
  usualClients,
} from '../../../admin/console/page/components/chart-lines.ts';

const lineOf = (client: string, balances: readonly (number | null)[], unit = 'kg'): MaterialLine => ({
  client,
  unit,
  points: balances.map((balance, at) => ({ at, balance })),
});

test('a chart shows at first the five largest warehouses of each unit, and those with findings', () => {
  const lines = [
    ...[3, -9, 5, 1, 8, 2, 7].map((balance, index) => lineOf(`w${index}`, [1_000, balance])),
    lineOf('other', [1], 't'),
  ];
  const shown = usualClients(lines, ['w3']);
  expect([...new Set(shown)].sort()).toEqual(['other', 'w0', 'w1', 'w2', 'w3', 'w4', 'w6']);
});

test.each([
  [
    ['2026-10-31', '2026-11-01', '2026-11-03'],
    ['31\n', '01\n2026-11', '03\n'],
  ],
  [
    ['2026-10-30', '2026-10-31', '2026-11-01'],
    ['30\n2026-10', '31\n', '01\n2026-11'],
  ],
  [
    ['2026-10-18', '2026-10-25', '2026-11-01'],
    ['18\n2026-10', '25\n', '01\n2026-11'],
  ],
])('the months below a chart do not cover each other: %j', (days, texts) => {
  const ticks = days.map((day) => new Date(`${day}T00:00`).getTime());
  expect(ticks.map((_, index) => formatTick(_, index, ticks))).toEqual(texts);
});

describe('a chart clips', () => {
  test.each([
    ['a balance that is ten times as large as usual', [[1, 2, 3, 30]], [0, 3]],
    ['a balance of two', [[730.61, 730_610]], [0, 730.61]],
    ['a quarter of the balances', [[1, 1, 1, 1, 1, 2, 30, 31]], [0, 2]],
    ['a balance far below zero', [[5, null, 6, 7, -700]], [0, 7]],
    ['none that is in the range of another warehouse', [[1, 2, 3, 30], [40]], undefined],
    ['none that is less than ten times as large', [[1, 2, 3, 29]], undefined],
    ['none of balances that often change so much', [[5, 500, 4, 480]], undefined],
    ['none after zero', [[0, 0, 0, 5]], undefined],
    ['none without a balance', [[null]], undefined],
  ])('%s', (_, balances, range) => {
    expect(clippedRange(balances.map((ofLine, index) => lineOf(`w${index}`, ofLine)))).toEqual(range);
  });
});
