import type { StockData } from '../stock/stock-data.ts';
import { difference } from './format.ts';

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
  const starts = startsOf(series.points);
  const rowCount = series.points.length;

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
  /** The index of a row's newest point. */
  const latestOf = (row: number) => (starts[row + 1] ?? 0) - 1;
  const materialOf = new Map(materials.code.map((code, index) => [code, index]));

  /** The rows of one material after those of another. They stay in the order of the clients. */
  const rowsByMaterial = once(() => {
    const counts = materials.code.map(() => 0);
    for (const material of series.material) counts[material] = (counts[material] ?? 0) + 1;
    const starts = startsOf(counts);
    const next = starts.slice();
    const rows = new Uint32Array(rowCount);
    for (const [row, material] of series.material.entries()) {
      const place = next[material] ?? 0;
      next[material] = place + 1;
      rows[place] = row;
    }
    return { rows, starts };
  });
  const rowIndexesOf = (material: number) => {
    const { rows, starts } = rowsByMaterial();
    return rows.subarray(starts[material], starts[material + 1]);
  };

  return {
    data,
    rowCount,
    rowAt,
    pointAt,
    latestOf,
    movementAt: (index: number) => movementIn(points, starts[index] ?? 0, starts[index + 1] ?? 0),
    /** The latest change of a balance, and when it was received. */
    movementOf: ({ from, until }: Row) => {
      const index = movementIn(points, from, until);
      if (index === undefined) return undefined;
      const { at, balance } = pointAt(index);
      return { at, by: difference(balance, pointAt(index - 1).balance) };
    },
    attributeOf: (attribute: number, { material }: Pick<Row, 'material'>) =>
      materials.attributes[attribute]?.value[material] ?? '',
    pointsOf: ({ from, until }: Row) =>
      Array.from({ length: until - from }, (_, index) => pointAt(from + index)),
    rowIndexesOf,
    /** The rows of one material, in the order of the clients. */
    rowsOf: (code: string): Row[] => {
      const material = materialOf.get(code);
      return material === undefined ? [] : Array.from(rowIndexesOf(material), rowAt);
    },
    decimals: once(() => spaceForDecimals(rowCount, (row) => points.balance[latestOf(row)] ?? 0)),
    hasMaterial: (code: string) => materialOf.has(code),
  };
};

/** The index where each part begins, and the end, if the parts follow one another. */
const startsOf = (lengths: readonly number[]) => {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = (starts[index] ?? 0) + length;
  return starts;
};

/** The newest point that differs from the previous one. A change of the unit is no movement. */
const movementIn = ({ balance, unit }: StockData['points'], from: number, until: number) => {
  for (let index = until - 1; index > from && unit[index] === unit[index - 1]; index -= 1) {
    if (balance[index] !== balance[index - 1]) return index;
  }
  return undefined;
};

const MOST_DECIMALS = 6;
/** Some numbers are much longer, for example because of a fault. The others would be far from their units. */
const SHARE_IN_LINE = 0.99;

/** For how many decimals a column of amounts has space. */
const spaceForDecimals = (count: number, balanceAt: (index: number) => number) => {
  const counts = Array.from({ length: MOST_DECIMALS + 1 }, () => 0);
  for (let index = 0; index < count; index += 1) {
    const balance = balanceAt(index);
    let decimals = 0;
    while (decimals < MOST_DECIMALS && Math.round(balance * 10 ** decimals) / 10 ** decimals !== balance)
      decimals += 1;
    counts[decimals] = (counts[decimals] ?? 0) + 1;
  }
  return counts.findIndex((_, decimals) => sum(counts.slice(0, decimals + 1)) >= count * SHARE_IN_LINE);
};

export const once = <T>(make: () => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Sorts numbers within texts as numbers. */
export const { compare } = new Intl.Collator('en', { numeric: true });

/** One form for both cases, and for an accent with its letter or apart. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');

export const wordsOf = (query: string) => fold(query).split(/\s+/).filter(Boolean);

/** Matches a text that has all words of the query, in any order. */
export const matcher = (query: string) => {
  const words = wordsOf(query);
  return (haystack: string) => words.every((word) => haystack.includes(word));
};

/** A report about a material, and the change since the previous one, if that has the same unit. */
export type Change = Point & { client: string; by: number | undefined };

/** The newest first. */
export const changesOf = (model: Model, rows: readonly Row[]): Change[] =>
  rows
    .flatMap((row) =>
      model.pointsOf(row).map((point, index, points) => {
        const before = points[index - 1];
        const by = before?.unit === point.unit ? difference(point.balance, before.balance) : undefined;
        return { ...point, client: row.client, by };
      }),
    )
    .sort((one, other) => other.at - one.at);

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

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
