import { DAY_MS } from '../../cli/time.ts';
import { dayOf, type ReportData } from '../data.ts';

export type Point = { at: number; balance: number; unit: string };

/** The newest statement of a client about a material, and where its history is in the points. */
export type Row = Point & {
  code: string;
  client: string;
  clientIndex: number;
  material: number;
  orders: string;
  from: number;
  until: number;
  /** All text that a search looks at. */
  haystack: string;
};

export type Model = ReturnType<typeof toModel>;

export const toModel = (data: ReportData) => {
  const { snapshots, points, units, series, materials, clients } = data;
  const pointAt = (index: number): Point => ({
    at: snapshots.at[points.snapshot[index] ?? 0] ?? 0,
    balance: points.balance[index] ?? 0,
    unit: units[points.unit[index] ?? 0] ?? '',
  });
  let until = 0;
  const rows = series.points.map((count, index): Row => {
    const from = until;
    until += count;
    const material = series.material[index] ?? 0;
    const clientIndex = series.client[index] ?? 0;
    const code = materials.code[material] ?? '';
    const client = clients[clientIndex] ?? '';
    const orders = series.orders[index] ?? '';
    const attributes = materials.attributes.map(({ value }) => value[material] ?? '');
    const haystack = fold([code, client, orders, ...attributes].join('\n'));
    return { ...pointAt(until - 1), code, client, clientIndex, material, orders, from, until, haystack };
  });
  rows.sort((a, b) => compare(a.code, b.code) || a.clientIndex - b.clientIndex);
  const rowsByCode = Map.groupBy(rows, ({ code }) => code);
  return {
    data,
    /** By code and client. */
    rows,
    attributeOf: (attribute: number, { material }: Row) =>
      materials.attributes[attribute]?.value[material] ?? '',
    pointsOf: ({ from, until }: Row) =>
      Array.from({ length: until - from }, (_, index) => pointAt(from + index)),
    rowsOf: (code: string): readonly Row[] => rowsByCode.get(code) ?? [],
  };
};

/** Sorts numbers within texts as numbers. */
export const { compare } = new Intl.Collator('en', { numeric: true });

/** One form for both cases, and for an accent with its letter or apart. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Matches a text that has all words of the query, in any order. */
export const matcher = (query: string) => {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (haystack: string) => words.every((word) => haystack.includes(word));
};

type Spot = { at: Date; balance: number };
export type Line = { client: string; clientIndex: number; spots: Spot[]; latest: Spot; isCurrent: boolean };

/** A client's balances in one unit as a line, with a gap where the client used another unit. */
export const linesIn = (
  unit: string,
  { client, clientIndex }: Pick<Row, 'client' | 'clientIndex'>,
  points: readonly Point[],
): Line[] => {
  const spots = points.flatMap((point, index): Spot[] => {
    if (point.unit !== unit) return [];
    const spot = { at: new Date(point.at), balance: point.balance };
    const next = points[index + 1];
    if (next === undefined || next.unit === unit) return [spot];
    const end = new Date(next.at);
    return [spot, { ...spot, at: end }, { at: end, balance: Number.NaN }];
  });
  const latest = spots.findLast(({ balance }) => !Number.isNaN(balance));
  return latest ? [{ client, clientIndex, spots, latest, isCurrent: latest === spots.at(-1) }] : [];
};

const MONTH_MS = 30 * DAY_MS;

/** In a period longer than a month, the time before the first snapshot or change does not count as silence. */
export const activityStart = ({ since, madeAt, snapshots, changes }: ReportData) => {
  const instants = [...snapshots.at, ...changes.day.map((day) => day * DAY_MS)];
  const first = instants.reduce((least, at) => Math.min(least, at), madeAt - MONTH_MS);
  return Math.max(since, first);
};

export type ClientActivity = ReturnType<typeof activityOf>[number];

/** What each client sent, and how long it sent no snapshot. */
export const activityOf = (data: ReportData) => {
  const { clients, snapshots, changes, lastChangeAt, madeAt } = data;
  const start = activityStart(data);
  const firstWholeDay = Math.ceil(start / DAY_MS);
  return clients.map((name, client) => {
    const instants = snapshots.at.filter((_, index) => snapshots.client[index] === client);
    const ends = [start, ...instants, madeAt];
    return {
      name,
      snapshots: instants.length,
      lastSnapshotAt: instants.at(-1) ?? null,
      silenceMs: ends.reduce((longest, at, index) => Math.max(longest, at - (ends[index - 1] ?? at)), 0),
      silentDays: missingDays(firstWholeDay, dayOf(madeAt), instants.map(dayOf)).length,
      changes: sum(changes.count.filter((_, index) => changes.client[index] === client)),
      lastChangeAt: lastChangeAt[client] ?? null,
    };
  });
};

/** The days from the first to the one before the end that are not in the list. */
export const missingDays = (first: number, end: number, days: readonly number[]) => {
  const known = new Set(days);
  const all = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  return all.filter((day) => !known.has(day));
};

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
