import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { dayOf, type ReportData } from './data.ts';
import { stringIndex } from './string-index.ts';

type Point = { snapshot: number; balance: number; unit: number };
type Series = { material: number; client: number; points: Point[]; last: Point; orders: readonly string[] };

/** What a page can hold and a browser can open without effort. */
const MOST_POINTS = 500_000;
/** Less than this and thinning pays for a while; more, and it would be needed again at once. */
const ROOM_FROM = 0.8;

type Arrival = { client: number; at: number; entries: readonly StockBalanceEntry[] };

/** Keeps, of all that is said about the materials, the points where a balance or its unit changed, and the last one. */
export const createHistory = (mostPoints = MOST_POINTS) => {
  const snapshots: ReportData['snapshots'] = { client: [], at: [], entries: [] };
  const units = stringIndex();
  const materials = stringIndex();
  const byClient = new Map<number, Map<number, Series>>();
  let count = 0;
  let thinnedToDays = 0;
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;

  const take = (series: Map<number, Series>, client: number, point: Point, entry: StockBalanceEntry) => {
    const material = materials.of(entry.MaterialCode);
    const before = series.get(material);
    if (before === undefined) {
      series.set(material, { material, client, points: [point], last: point, orders: entry.PurchaseOrders });
      count += 1;
      return;
    }
    if (isOther(before.last, point)) {
      before.points.push(point);
      count += 1;
    }
    before.last = point;
    before.orders = entry.PurchaseOrders;
  };

  const thinOut = () => {
    const spanOf = ({ snapshot }: Point) => Math.floor(dayOf(snapshots.at[snapshot] ?? 0) / thinnedToDays);
    count = 0;
    for (const series of all(byClient)) {
      series.points = lastOfEachSpan(series.points, spanOf);
      count += series.points.length;
    }
  };

  /** To ever longer spans, until there is room again or each series has nothing but its ends. */
  const makeRoom = () => {
    if (count <= mostPoints) return;
    thinnedToDays ||= 1;
    thinOut();
    while (count > ROOM_FROM * mostPoints && thinnedToDays <= dayOf(latest - earliest)) {
      thinnedToDays *= 2;
      thinOut();
    }
  };

  return {
    /** Of one client after the other, and of each the oldest first. */
    take: ({ client, at, entries }: Arrival) => {
      const snapshot = snapshots.at.length;
      snapshots.client.push(client);
      snapshots.at.push(at);
      snapshots.entries.push(entries.length);
      const series = byClient.get(client) ?? new Map<number, Series>();
      byClient.set(client, series);
      for (const entry of entries) {
        const point = { snapshot, balance: entry.StockBalance, unit: units.of(entry.StockBalanceUnit) };
        take(series, client, point, entry);
      }
      earliest = Math.min(earliest, at);
      latest = Math.max(latest, at);
      makeRoom();
    },

    columns: () => {
      // What came since the last time may be closer together than the page says.
      if (thinnedToDays > 0) thinOut();
      return {
        snapshots,
        units: units.all(),
        codes: materials.all(),
        thinnedToDays,
        ...inColumns([...all(byClient)]),
      };
    },
  };
};

const isOther = (one: Point, other: Point) => one.balance !== other.balance || one.unit !== other.unit;

function* all(byClient: ReadonlyMap<number, ReadonlyMap<number, Series>>) {
  for (const series of byClient.values()) yield* series.values();
}

/** The first one stays in any case: from there on is said what the balance was. */
const lastOfEachSpan = (points: readonly Point[], spanOf: (point: Point) => number) =>
  points.filter((point, index) => {
    const next = points[index + 1];
    return index === 0 || next === undefined || spanOf(next) !== spanOf(point);
  });

const inColumns = (all: readonly Series[]): Pick<ReportData, 'series' | 'points'> => {
  const points: ReportData['points'] = { snapshot: [], balance: [], unit: [] };
  const counts = all.map((series) => {
    const lastKept = series.points.at(-1);
    // Said again without a change: until then it is known.
    const kept =
      lastKept?.snapshot === series.last.snapshot ? series.points : [...series.points, series.last];
    let before = 0;
    for (const { snapshot, balance, unit } of kept) {
      points.snapshot.push(snapshot - before);
      points.balance.push(balance);
      points.unit.push(unit);
      before = snapshot;
    }
    return kept.length;
  });
  return {
    series: {
      material: all.map(({ material }) => material),
      client: all.map(({ client }) => client),
      orders: all.map(({ orders }) => orders.join(' ')),
      points: counts,
    },
    points,
  };
};
