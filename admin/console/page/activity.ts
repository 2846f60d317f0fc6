import { type Severity, severityOf } from '../../check/finding.ts';
import { DAY_MS } from '../../cli/time.ts';
import { isLate } from '../../deployment/is-late.ts';
import { SLOT_MS, type StockData } from '../stock/stock-data.ts';
import { formatDay, formatTime } from './format.ts';
import { compare } from './model.ts';

export const severities = ['error', 'warning', 'note'] as const satisfies Severity[];

export type SeverityCounts = Record<Severity, number>;

export const countSeverities = (findings: StockData['findings']): SeverityCounts => {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { kind } of findings) counts[severityOf(kind)] += 1;
  return counts;
};

export type Warehouse = ReturnType<typeof warehouseAt>;

const warehouseAt = (data: StockData, index: number) => {
  const { clients, snapshots, changes, silenceHours, lastSnapshotAt, asOf } = data;
  const client = clients[index] ?? '';
  const last = snapshots.client.lastIndexOf(index);
  const previous = last > 0 ? snapshots.client.lastIndexOf(index, last - 1) : -1;
  const yesterday = startOfDay(asOf, -1);
  let [changeCount, newChangeCount] = [0, 0];
  for (const [row, count] of changes.count.entries()) {
    if (changes.client[row] !== index) continue;
    changeCount += count;
    if ((changes.slot[row] ?? 0) * SLOT_MS >= yesterday) newChangeCount += count;
  }
  return {
    client,
    lastAt: lastSnapshotAt[index] ?? null,
    isLate: isLate(silenceHours[index], lastSnapshotAt[index], asOf) ?? false,
    silenceHours: silenceHours[index] ?? null,
    entries: snapshots.entries[last],
    previousEntries: snapshots.entries[previous],
    changeCount,
    newChangeCount,
    findings: countSeverities(data.findings.filter((finding) => finding.client === client)),
  };
};

/** The warehouses that need attention first: late ones, then by the severity and number of their findings. */
export const rankWarehouses = (data: StockData): Warehouse[] =>
  data.clients
    .map((_, index) => warehouseAt(data, index))
    .sort(
      (one, other) =>
        Number(other.isLate) - Number(one.isLate) ||
        severities.reduce((order, name) => order || other.findings[name] - one.findings[name], 0) ||
        compare(one.client, other.client),
    );

/** Midnight by the browser's clock, so many days later. Some days have 23 or 25 hours. */
const startOfDay = (at: number, days = 0) => {
  const time = new Date(at);
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days).getTime();
};

const MONTH_MS = 30 * DAY_MS;

/** In a period longer than a month, the time before the first snapshot or change does not count as silence. */
const activityStart = ({ since, asOf, snapshots, changes }: StockData) => {
  const [slot = Number.POSITIVE_INFINITY] = changes.slot.toSorted((one, other) => one - other);
  const first = snapshots.at.reduce((least, at) => Math.min(least, at), slot * SLOT_MS);
  return Math.max(since, Math.min(first, asOf - MONTH_MS));
};

export type Day = {
  day: string;
  /** Such as `2026-03-31, until 09:30`. */
  label: string;
  from: number;
  until: number;
  /** The period begins or ends within the day. */
  isPartial: boolean;
};

/** The days of the period by the browser's clock. */
export const daysOf = (data: StockData): Day[] => {
  const { since, asOf } = data;
  const days: Day[] = [];
  for (let from = startOfDay(activityStart(data)); from <= asOf; from = startOfDay(from, 1)) {
    const until = startOfDay(from, 1);
    const day = formatDay(from);
    const start = from < since ? [`from ${formatTime(since).slice(-5)}`] : [];
    const end = until > asOf ? [`until ${formatTime(asOf).slice(-5)}`] : [];
    const label = [day, ...start, ...end].join(', ');
    days.push({ day, label, from, until, isPartial: label !== day });
  }
  return days;
};

export type Arrivals = Day & {
  client: string;
  count: number;
  /** Nothing arrived on a whole day. What the period does not cover is unknown. */
  state: 'some' | 'silent' | 'partial' | 'unknown';
};

/** What arrived from each client on each day. */
export const arrivalsOf = (data: StockData, what: 'batches' | 'changes'): Arrivals[] => {
  const { clients, snapshots, changes, historySince, since } = data;
  const counts = new Map<string, number>();
  const add = (client: number, at: number, count: number) => {
    const key = `${client} ${formatDay(at)}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  if (what === 'batches')
    for (const [index, at] of snapshots.at.entries()) add(snapshots.client[index] ?? 0, at, 1);
  else
    for (const [index, slot] of changes.slot.entries())
      add(changes.client[index] ?? 0, slot * SLOT_MS, changes.count[index] ?? 0);
  const days = daysOf(data);
  return clients.flatMap((client, index) => {
    const start = what === 'batches' ? (historySince[index] ?? since) : since;
    return days.map((day): Arrivals => {
      const count = counts.get(`${index} ${day.day}`) ?? 0;
      return { ...day, client, count, state: stateOf(day, count, start) };
    });
  });
};

const stateOf = ({ from, until, isPartial }: Day, count: number, start: number) => {
  if (count > 0) return 'some';
  if (until <= start) return 'unknown';
  return isPartial || from < start ? 'partial' : 'silent';
};
