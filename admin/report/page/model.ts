import type { ReportData } from '../data.ts';
import { folded } from './words.ts';

export type Point = { at: number; balance: number; unit: string };

/** What a client has said of a material: the newest of it, and where its history lies. */
export type Row = {
  /** Its place by code and client. */
  index: number;
  code: string;
  client: string;
  clientIndex: number;
  material: number;
  balance: number;
  unit: string;
  orders: string;
  at: number;
  points: readonly [from: number, until: number];
  /** All that a search looks at. */
  haystack: string;
};

export type Model = {
  data: ReportData;
  rows: readonly Row[];
  attributeOf(name: number, row: Row): string;
  pointsOf(row: Row): Point[];
  /** Of one material, by client. */
  rowsOf(code: string): readonly Row[];
};

export const toModel = (data: ReportData): Model => {
  const places = snapshotOfEachPoint(data);
  const pointAt = (index: number): Point => ({
    at: data.snapshots.at[places[index] ?? 0] ?? 0,
    balance: data.points.balance[index] ?? 0,
    unit: data.units[data.points.unit[index] ?? 0] ?? '',
  });
  let from = 0;
  const rows = data.series.points.map((count, index) => {
    const points = [from, from + count] as const;
    from += count;
    return toRow(data, index, points, pointAt(from - 1));
  });
  inOrder(rows);
  const byCode = Map.groupBy(rows, ({ code }) => code);
  return {
    data,
    rows,
    attributeOf: (name, { material }) => data.materials.attributes[name]?.value[material] ?? '',
    pointsOf: ({ points: [from, until] }) =>
      Array.from({ length: until - from }, (_, index) => pointAt(from + index)),
    rowsOf: (code) => byCode.get(code) ?? [],
  };
};

const toRow = (data: ReportData, index: number, points: readonly [number, number], latest: Point): Row => {
  const material = data.series.material[index] ?? 0;
  const clientIndex = data.series.client[index] ?? 0;
  const code = data.materials.code[material] ?? '';
  const client = data.clients[clientIndex] ?? '';
  const orders = data.series.orders[index] ?? '';
  const attributes = data.materials.attributes.map(({ value }) => value[material] ?? '');
  const haystack = folded([code, client, orders, ...attributes].join('\n'));
  return { index, code, client, clientIndex, material, orders, ...latest, points, haystack };
};

const inOrder = (rows: Row[]) => {
  const rank = ranksOf(rows.map(({ code }) => code));
  rows.sort((a, b) => (rank[a.index] ?? 0) - (rank[b.index] ?? 0) || a.clientIndex - b.clientIndex);
  for (const [index, row] of rows.entries()) row.index = index;
};

const collator = new Intl.Collator('en', { numeric: true });

/** Numbers that stand in the order of the values: to compare texts as people do takes long, and is done once. */
export const ranksOf = (values: readonly (string | number)[]): Float64Array => {
  const texts = [...new Set(values.filter((value) => typeof value === 'string'))].sort(collator.compare);
  const places = new Map(texts.map((text, place) => [text, place]));
  return Float64Array.from(values, (value) => (typeof value === 'number' ? value : (places.get(value) ?? 0)));
};

const snapshotOfEachPoint = ({ series, points }: ReportData) => {
  const places = new Int32Array(points.snapshot.length);
  let index = 0;
  for (const count of series.points) {
    let before = 0;
    for (const until = index + count; index < until; index += 1) {
      before += points.snapshot[index] ?? 0;
      places[index] = before;
    }
  }
  return places;
};

/** Whether all words stand in it, in any order. */
export const matcher = (query: string) => {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return (haystack: string) => words.every((word) => haystack.includes(word));
};
