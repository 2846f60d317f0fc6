import { DAY_MS } from '../../../shared/time.ts';
import { type Severity, severityOf } from '../../check/finding.ts';
import { SLOT_MS, type StockData } from '../stock/stock-data.ts';
import { formatDay } from './format.ts';
import { compare } from './model.ts';

export const severities = ['error', 'warning', 'note'] as const satisfies Severity[];

const countSeverities = (findings: StockData['findings']) => {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { kind } of findings) counts[severityOf(kind)] += 1;
  return counts;
};

export type Warehouse = ReturnType<typeof warehousesOf>[number];

/** Reads each column once, because a deployment may have 2,000 warehouses. */
const warehousesOf = ({ clients, snapshots, changes, ...data }: StockData) => {
  const findings = Map.groupBy(data.findings, ({ client }) => client);
  const entries = clients.map((): number[] => []);
  for (const [index, client] of snapshots.client.entries())
    entries[client] = [snapshots.entries[index] ?? 0, ...(entries[client] ?? []).slice(0, 1)];
  const changeCounts = clients.map(() => 0);
  for (const [index, client] of changes.client.entries())
    changeCounts[client] = (changeCounts[client] ?? 0) + (changes.count[index] ?? 0);
  return clients.map((client, index) => {
    const lateFrom = data.lateFrom[index] ?? null;
    return {
      client,
      lastAt: data.lastSnapshotAt[index] ?? null,
      lastChangeAt: data.lastChangeAt[index] ?? null,
      isLate: lateFrom !== null && lateFrom <= data.asOf,
      lateFrom,
      entries: entries[index]?.[0],
      previousEntries: entries[index]?.[1],
      changeCount: changeCounts[index] ?? 0,
      findings: countSeverities(findings.get(client) ?? []),
    };
  });
};

/** Warehouses that need attention come first: late ones, then by the severity and number of findings. */
export const rankWarehouses = (data: StockData): Warehouse[] =>
  warehousesOf(data).sort(
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

/** The days of the period by the browser's clock, at most those of the last month. */
const daysOf = ({ since, asOf }: StockData) => {
  const days: { day: string; from: number; until: number }[] = [];
  for (let from = startOfDay(Math.max(since, asOf - 30 * DAY_MS)); from <= asOf; from = startOfDay(from, 1))
    days.push({ day: formatDay(from), from, until: startOfDay(from, 1) });
  return days;
};

export type Arrivals = ReturnType<typeof arrivalsOf>[number]['days'][number];

/** The number of batches and changes from each client on each day. */
export const arrivalsOf = (data: StockData) => {
  const { clients, snapshots, changes, historySince, asOf } = data;
  const days = daysOf(data);
  const rows = clients.map((client, index) => ({
    client,
    days: days.map(({ day, from, until }) => {
      const isWhole = from >= (historySince[index] ?? data.since) && until <= asOf;
      return { day, isWhole, batches: 0, changes: 0 };
    }),
  }));
  const add = (what: 'batches' | 'changes', client: number | undefined, at: number, count = 0) => {
    const arrivals = rows[client ?? -1]?.days[days.findLastIndex(({ from }) => at >= from)];
    if (arrivals) arrivals[what] += count;
  };
  for (const [index, at] of snapshots.at.entries()) add('batches', snapshots.client[index], at, 1);
  for (const [index, slot] of changes.slot.entries())
    add('changes', changes.client[index], slot * SLOT_MS, changes.count[index]);
  return rows;
};
