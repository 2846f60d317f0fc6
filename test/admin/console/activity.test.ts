import { afterEach, expect, test, vi } from 'vitest';
import { arrivalsOf } from '../../../admin/console/page/activity.ts';
import { createChangeCounts } from '../../../admin/console/stock/change-counts.ts';
import { createHistory } from '../../../admin/console/stock/stock-history.ts';
import { MADE_AT, reportOf, sample } from '../../browser/sample.ts';

afterEach(() => void vi.unstubAllEnvs());

test('days go by the clock of the browser, and those at the ends of the period are not whole', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const [north] = arrivalsOf(sample());
  const days = north?.days ?? [];
  expect(days).toHaveLength(31);
  expect(days[0]).toMatchObject({ day: '2026-03-01', isWhole: false });
  // In this zone, the day of 2026-03-29 has 23 hours.
  expect(days.slice(-3)).toMatchObject([
    { day: '2026-03-29', isWhole: true, batches: 1 },
    { day: '2026-03-30', isWhole: true, batches: 1 },
    { day: '2026-03-31', isWhole: false, batches: 0 },
  ]);
});

test('batches and changes count for their day, and a day that was not read whole says so', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const history = createHistory();
  const counts = createChangeCounts(2);
  // In India, this is half past midnight.
  const at = Date.parse('2026-03-28T19:00:00Z');
  history.add({ id: 'late', client: 0, at, entries: [] });
  counts.add(0, at);
  counts.add(0, at - 86_400_000);
  const historySince = [MADE_AT - 3 * 86_400_000, MADE_AT - 2 * 86_400_000];
  const [north, south] = arrivalsOf(reportOf({ history, ...counts.columns(), historySince })).map(
    ({ days }) => days.slice(-4),
  );
  const counted = north?.map(({ batches, changes }) => `${batches} and ${changes}`);
  expect(counted).toEqual(['0 and 1', '1 and 1', '0 and 0', '0 and 0']);
  expect(north?.map(({ isWhole }) => isWhole)).toEqual([false, true, true, false]);
  expect(south?.map(({ isWhole }) => isWhole)).toEqual([false, false, true, false]);
});
