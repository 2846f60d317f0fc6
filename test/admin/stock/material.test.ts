import { expect, test } from 'vitest';
import { readMaterial } from '../../../admin/stock/tables/material.ts';
import { entry, makeStock } from './make-stock.ts';

test('a material with many changes has the last balance of each interval, and few points', () => {
  const times = [...Array.from({ length: 3_090 }, (_, index) => index + 1), 9_000];
  const batches = times.map((at) => ({ at, entries: [entry('A', at)] }));
  const lines = readMaterial(makeStock({ north: batches }).db, 'A', 9_000).lines;
  expect(lines).toHaveLength(1);
  const { points = [] } = lines[0] ?? {};
  expect(points.length).toBeGreaterThan(1_500);
  expect(points.length).toBeLessThan(1_600);
  expect(points.at(-1)).toEqual({ at: 9_000, balance: 9_000 });
  expect(points.every(({ at, balance }) => balance === at)).toBe(true);
  expect(points.some(({ at }) => at === 3_089)).toBe(true);
});
