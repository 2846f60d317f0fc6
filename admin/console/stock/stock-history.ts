import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { dayOf, type StockData } from './stock-data.ts';

type Point = { snapshot: number; balance: number; unit: number };
type Series = { material: number; client: number; points: Point[]; last: Point; orders: number };
/** A snapshot with `entryCount` and no entries adds no points. */
type Snapshot = {
  id: string;
  client: number;
  at: number;
  entries: readonly StockBalanceEntry[];
  entryCount?: number;
};

/** A browser opens a page with this many points quickly. */
const MAX_POINTS = 500_000;
/** Removes more points than necessary, so that it is not needed again soon. */
const SHARE_AFTER_THINNING = 0.8;

/** Keeps the points where a balance or its unit changed, and the last point of each material. */
export const createHistory = (maxPoints = MAX_POINTS) => {
  const snapshots: StockData['snapshots'] = { id: [], client: [], at: [], entries: [] };
  const units = createStringIndex();
  const orderLists = createStringIndex();
  const materials = createStringIndex();
  const seriesByKey = new Map<number, Series>();
  let count = 0;
  let thinnedToDays = 0;
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;

  const addPoint = (client: number, point: Point, entry: StockBalanceEntry) => {
    const material = materials.indexOf(entry.MaterialCode);
    const key = client * 2 ** 32 + material;
    const series = seriesByKey.get(key) ?? { material, client, points: [], last: point, orders: 0 };
    seriesByKey.set(key, series);
    const { points, last } = series;
    if (points.length === 0 || last.balance !== point.balance || last.unit !== point.unit) {
      points.push(point);
      count += 1;
    }
    series.last = point;
    series.orders = orderLists.indexOf(entry.PurchaseOrders.join(' '));
  };

  const thinOut = () => {
    const spanOf = ({ snapshot }: Point) => Math.floor(dayOf(snapshots.at[snapshot] ?? 0) / thinnedToDays);
    count = 0;
    for (const series of seriesByKey.values()) {
      series.points = lastOfEachSpan(series.points, spanOf);
      count += series.points.length;
    }
  };

  /** Doubles the spans until enough points are removed, or each series has only its first and last point. */
  const makeRoom = () => {
    if (count <= maxPoints) return;
    thinnedToDays ||= 1;
    thinOut();
    while (count > SHARE_AFTER_THINNING * maxPoints && thinnedToDays <= dayOf(latest - earliest)) {
      thinnedToDays *= 2;
      thinOut();
    }
  };

  return {
    /** The snapshots of a client come oldest first. */
    add: ({ id, client, at, entries, entryCount = entries.length }: Snapshot) => {
      const snapshot = snapshots.at.length;
      snapshots.id.push(id);
      snapshots.client.push(client);
      snapshots.at.push(at);
      snapshots.entries.push(entryCount);
      for (const entry of entries) {
        const { StockBalance: balance, StockBalanceUnit: unit } = entry;
        addPoint(client, { snapshot, balance, unit: units.indexOf(unit) }, entry);
      }
      earliest = Math.min(earliest, at);
      latest = Math.max(latest, at);
      makeRoom();
    },

    columns: () => {
      // New points may be closer together than `thinnedToDays`.
      if (thinnedToDays > 0) thinOut();
      const codes = materials.all();
      const lists = { units: units.all(), orderLists: orderLists.all(), codes };
      return {
        snapshots: structuredClone(snapshots),
        ...lists,
        thinnedToDays,
        // Clients are read at the same time, but shown in their order.
        ...toColumns([...seriesByKey.values()].sort((one, other) => one.client - other.client)),
      };
    },
  };
};

/** Numbers texts by their index in a list. */
const createStringIndex = () => {
  const indexes = new Map<string, number>();
  return {
    indexOf: (text: string) => {
      const index = indexes.get(text) ?? indexes.size;
      indexes.set(text, index);
      return index;
    },
    all: () => [...indexes.keys()],
  };
};

/** Always keeps the first point, where the history begins. */
const lastOfEachSpan = (points: readonly Point[], spanOf: (point: Point) => number) =>
  points.filter((point, index) => {
    const next = points[index + 1];
    return index === 0 || next === undefined || spanOf(next) !== spanOf(point);
  });

const toColumns = (allSeries: readonly Series[]): Pick<StockData, 'series' | 'points'> => {
  const pointsOfEach = allSeries.map(({ points, last }) =>
    points.at(-1)?.snapshot === last.snapshot ? points : [...points, last],
  );
  const points = pointsOfEach.flat();
  return {
    series: {
      material: allSeries.map(({ material }) => material),
      client: allSeries.map(({ client }) => client),
      orders: allSeries.map(({ orders }) => orders),
      points: pointsOfEach.map(({ length }) => length),
    },
    points: {
      snapshot: points.map(({ snapshot }) => snapshot),
      balance: points.map(({ balance }) => balance),
      unit: points.map(({ unit }) => unit),
    },
  };
};
