import { afterEach, expect, test, vi } from 'vitest';
import { arrivalsOf, daysOf, rankWarehouses } from '../../../admin/console/page/activity.ts';
import { createChangeCounts } from '../../../admin/console/stock/change-counts.ts';
import { createHistory } from '../../../admin/console/stock/stock-history.ts';
import { MADE_AT, reportOf, sample } from '../../browser/sample.ts';

afterEach(() => void vi.unstubAllEnvs());

test('days go by the clock of the browser, and those at the ends of the period are covered in part', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const days = daysOf(sample());
  expect(days).toHaveLength(31);
  expect(days[0]).toMatchObject({ label: '2026-03-01, from 10:30', isPartial: true });
  expect(days[1]).toMatchObject({ label: '2026-03-02', isPartial: false });
  expect(days.at(-1)).toMatchObject({ label: '2026-03-31, until 11:30', isPartial: true });
  const hours = days.map(({ from, until }) => (until - from) / 3_600_000);
  expect(hours.filter((count) => count !== 24)).toEqual([23]);
});

test('a whole day without an arrival is silent, and a day that was not read is unknown', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const history = createHistory();
  const counts = createChangeCounts(2);
  // In India, this is half past midnight.
  const at = Date.parse('2026-03-28T19:00:00Z');
  history.add({ id: 'late', client: 0, at, entries: [] });
  counts.add(0, at);
  const historySince = [MADE_AT - 3 * 86_400_000, MADE_AT - 2 * 86_400_000];
  const data = reportOf({ history, ...counts.columns(), historySince });
  const statesOf = (what: 'batches' | 'changes', wanted: string) =>
    arrivalsOf(data, what)
      .filter(({ client, day }) => client === wanted && day >= '2026-03-27')
      .map(({ state }) => state);
  expect(statesOf('batches', 'north')).toEqual(['unknown', 'partial', 'some', 'silent', 'partial']);
  expect(statesOf('batches', 'south')).toEqual(['unknown', 'unknown', 'partial', 'silent', 'partial']);
  expect(statesOf('changes', 'north')).toEqual(['silent', 'silent', 'some', 'silent', 'partial']);
});

test('late warehouses come first, then those with the worst findings', () => {
  const find = (kind: 'halved-snapshot' | 'look-alike', client: string) => ({
    kind,
    client,
    subject: '',
    detail: '',
  });
  const clients = ['fine', 'alike', 'halved', 'late', 'unlimited'];
  const data = reportOf({
    clients,
    silenceHours: [24, 24, 24, 24, 0],
    lastSnapshotAt: clients.map((name) => MADE_AT - (name === 'late' ? 25 : 1) * 3_600_000),
    findings: [find('look-alike', 'alike'), find('look-alike', 'alike'), find('halved-snapshot', 'halved')],
  });
  const ranked = rankWarehouses(data);
  expect(ranked.map(({ client }) => client)).toEqual(['late', 'halved', 'alike', 'fine', 'unlimited']);
  expect(ranked.map(({ isLate }) => isLate)).toEqual([true, false, false, false, false]);
});
