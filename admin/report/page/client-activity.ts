import { DAY_MS } from '../../cli/time.ts';
import { dayOf, type ReportData } from '../data.ts';

export type Heard = {
  name: string;
  snapshots: number;
  lastSnapshotAt: number | null;
  silenceMs: number;
  silentDays: number;
  changes: number;
  lastChangeAt: number | null;
};

const MONTH_MS = 30 * DAY_MS;

/** Of a longer period than a month, what lies before the first thing that came tells of no silence. */
export const heardFrom = ({ since, madeAt, snapshots, changes }: ReportData) => {
  const instants = [...snapshots.at, ...changes.day.map((day) => day * DAY_MS)];
  const first = instants.reduce((least, at) => Math.min(least, at), madeAt - MONTH_MS);
  return Math.max(since, first);
};

/** What was heard of each client, and how long nothing. */
export const heardOf = (data: ReportData): Heard[] => {
  const { clients, snapshots, changes, lastChangeAt, madeAt } = data;
  const from = heardFrom(data);
  return clients.map((name, client) => {
    const instants = snapshots.at.filter((_, index) => snapshots.client[index] === client);
    const ends = [from, ...instants, madeAt];
    return {
      name,
      snapshots: instants.length,
      lastSnapshotAt: instants.at(-1) ?? null,
      silenceMs: ends.reduce((longest, at, index) => Math.max(longest, at - (ends[index - 1] ?? at)), 0),
      silentDays: wholeDays(from, madeAt).filter(isNotIn(instants.map(dayOf))).length,
      changes: changes.count.reduce(
        (sum, count, index) => sum + (changes.client[index] === client ? count : 0),
        0,
      ),
      lastChangeAt: lastChangeAt[client] ?? null,
    };
  });
};

export const isNotIn = (days: readonly number[]) => {
  const known = new Set(days);
  return (day: number) => !known.has(day);
};

/** A day of which only a part lies in the period can tell of no silence. */
const wholeDays = (from: number, until: number) => {
  const first = Math.ceil(from / DAY_MS);
  return Array.from({ length: Math.max(0, dayOf(until) - first) }, (_, index) => first + index);
};
