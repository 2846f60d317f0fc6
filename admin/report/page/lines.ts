import type { Point } from './model.ts';

type Spot = { at: Date; balance: number };
export type Line = { client: string; clientIndex: number; spots: Spot[]; latest: Spot; isCurrent: boolean };

/** What a client said in one unit, as a line that ends where it went on in another. */
export const linesIn = (
  unit: string,
  client: string,
  clientIndex: number,
  points: readonly Point[],
): Line[] => {
  const spots = points.flatMap((point, index) =>
    point.unit === unit ? spotsOf(point, points[index + 1]) : [],
  );
  const latest = spots.findLast(({ balance }) => !Number.isNaN(balance));
  return latest ? [{ client, clientIndex, spots, latest, isCurrent: latest === spots.at(-1) }] : [];
};

const spotsOf = ({ at, balance, unit }: Point, next: Point | undefined): Spot[] => {
  const spot = { at: new Date(at), balance };
  if (next === undefined || next.unit === unit) return [spot];
  const end = new Date(next.at);
  return [spot, { at: end, balance }, { at: end, balance: Number.NaN }];
};
