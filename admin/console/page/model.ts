import { DAY_MS, HOUR_MS } from '../../cli/time.ts';
import { dayOf, type StockData } from '../stock/stock-data.ts';

export type Point = { at: number; balance: number; unit: string };

/** The newest report of a client about a material, and where its history is in the points. */
export type Row = Point & {
  code: string;
  client: string;
  clientIndex: number;
  material: number;
  orders: string;
  from: number;
  until: number;
};

export type Model = ReturnType<typeof toModel>;

export const toModel = (data: StockData) => {
  const { snapshots, points, units, series, materials, clients, orderLists } = data;
  const starts = new Uint32Array(series.points.length + 1);
  for (const [index, count] of series.points.entries()) starts[index + 1] = (starts[index] ?? 0) + count;

  const pointAt = (index: number): Point => ({
    at: snapshots.at[points.snapshot[index] ?? 0] ?? 0,
    balance: points.balance[index] ?? 0,
    unit: units[points.unit[index] ?? 0] ?? '',
  });
  /** A row is made when it is needed: a million of them would need a gigabyte. */
  const rowAt = (index: number): Row => {
    const [from, until] = [starts[index] ?? 0, starts[index + 1] ?? 0];
    const material = series.material[index] ?? 0;
    const clientIndex = series.client[index] ?? 0;
    return {
      ...pointAt(until - 1),
      code: materials.code[material] ?? '',
      client: clients[clientIndex] ?? '',
      clientIndex,
      material,
      orders: orderLists[series.orders[index] ?? 0] ?? '',
      from,
      until,
    };
  };
  const materialOf = new Map(materials.code.map((code, index) => [code, index]));

  return {
    data,
    rowCount: series.points.length,
    rowAt,
    pointAt,
    attributeOf: (attribute: number, { material }: Row) =>
      materials.attributes[attribute]?.value[material] ?? '',
    pointsOf: ({ from, until }: Row) =>
      Array.from({ length: until - from }, (_, index) => pointAt(from + index)),
    /** The rows of one material, in the order of the clients. */
    rowsOf: (code: string): Row[] => {
      const material = materialOf.get(code);
      const indexes = series.material.flatMap((other, index) => (other === material ? [index] : []));
      return indexes.map(rowAt).sort((one, other) => one.clientIndex - other.clientIndex);
    },
    hasMaterial: (code: string) => materialOf.has(code),
  };
};

/** Whether an alarm would ring, or would ring if there were one: by the hours of the settings. */
export const isLate = ({ silenceHours, lastSnapshotAt, asOf }: StockData, client: number) => {
  const hours = silenceHours[client];
  return Boolean(hours) && asOf - (lastSnapshotAt[client] ?? 0) > (hours ?? 0) * HOUR_MS;
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
export const activityStart = ({ since, asOf, snapshots, changes }: StockData) => {
  const instants = [...snapshots.at, ...changes.day.map((day) => day * DAY_MS)];
  const first = instants.reduce((least, at) => Math.min(least, at), asOf - MONTH_MS);
  return Math.max(since, first);
};

/** The days from the first to the one before the end that are not in the list. */
export const missingDays = (first: number, end: number, days: readonly number[]) => {
  const known = new Set(days);
  const all = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  return all.filter((day) => !known.has(day));
};

export const firstWholeDay = (data: StockData) => Math.ceil(activityStart(data) / DAY_MS);
export const lastDay = ({ asOf }: StockData) => dayOf(asOf);

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
