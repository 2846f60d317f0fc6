import type { StockData } from '../stock/stock-data.ts';
import { difference } from './format.ts';

/** `by` is the change since the previous point, if that has the same unit. */
export type Point = { at: number; balance: number; unit: string; by: number | undefined };

/** The newest report of a client about a material, with its history. */
export type Row = Point & {
  code: string;
  attributes: string[];
  client: string;
  clientIndex: number;
  orders: string[];
  points: Point[];
};

export type Model = ReturnType<typeof toModel>;

export const toModel = (data: StockData) => {
  const { snapshots, points, units, series, materials, clients, orderLists } = data;
  const rowCount = series.points.length;
  /** The index of each row's first point, and at last the number of all points. */
  const starts = new Uint32Array(rowCount + 1);
  for (const [row, count] of series.points.entries()) starts[row + 1] = (starts[row] ?? 0) + count;
  const startOf = (row: number) => starts[row] ?? 0;
  const latestOf = (row: number) => startOf(row + 1) - 1;

  const timeOf = (point: number) => snapshots.at[points.snapshot[point] ?? 0] ?? 0;
  const balanceOf = (point: number) => points.balance[point] ?? 0;
  const pointAt = (point: number, start: number): Point => {
    const hasBefore = point > start && points.unit[point] === points.unit[point - 1];
    return {
      at: timeOf(point),
      balance: balanceOf(point),
      unit: units[points.unit[point] ?? 0] ?? '',
      by: hasBefore ? difference(balanceOf(point), balanceOf(point - 1)) : undefined,
    };
  };
  /** Makes a row when it is needed: a million rows would need a gigabyte. */
  const rowAt = (row: number): Row => {
    const [start, latest] = [startOf(row), latestOf(row)];
    const [material, clientIndex] = [series.material[row] ?? 0, series.client[row] ?? 0];
    return {
      ...pointAt(latest, start),
      code: materials.code[material] ?? '',
      attributes: materials.attributes.map(({ value }) => value[material] ?? ''),
      client: clients[clientIndex] ?? '',
      clientIndex,
      orders: (orderLists[series.orders[row] ?? 0] ?? '').split(' ').filter(Boolean),
      points: Array.from({ length: latest - start + 1 }, (_, index) => pointAt(start + index, start)),
    };
  };
  const codes = new Set(materials.code);

  let decimals = 0;
  for (let row = 0; row < rowCount && decimals < MAX_DECIMALS; row += 1) {
    const balance = balanceOf(latestOf(row));
    while (decimals < MAX_DECIMALS && Math.round(balance * 10 ** decimals) / 10 ** decimals !== balance)
      decimals += 1;
  }

  return {
    data,
    rowCount,
    rowAt,
    startOf,
    latestOf,
    timeOf,
    balanceOf,
    hasMaterial: (code: string) => codes.has(code),
    /** The rows of one material, in the order of the clients. */
    rowsOf: (code: string) => {
      const material = materials.code.indexOf(code);
      const rows = Array.from(series.material.keys());
      return rows.filter((row) => series.material[row] === material).map(rowAt);
    },
    /** The number of decimals that a column of amounts has space for. Longer numbers are not aligned. */
    decimals,
  };
};

const MAX_DECIMALS = 3;

/** The balances in one unit, with a gap where the client used another one. */
export const spotsIn = (unit: string, points: readonly Point[]) =>
  points.flatMap(({ at, balance, unit: own }, index) => {
    const before = points[index - 1];
    if (own === unit) return [{ at, balance }];
    if (before?.unit !== unit) return [];
    return [
      { at, balance: before.balance },
      { at, balance: Number.NaN },
    ];
  });

/** Compares numbers within texts as numbers. */
export const { compare } = new Intl.Collator('en', { numeric: true });

/** Gives one form to both letter cases, and to an accented letter of one or two code points. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');

export const wordsOf = (query: string) => fold(query).split(/\s+/).filter(Boolean);

/** Matches a text that has all words of the query, in any order. */
export const matcher = (query: string) => {
  const words = wordsOf(query);
  return (haystack: string) => words.every((word) => haystack.includes(word));
};
