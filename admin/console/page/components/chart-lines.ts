import type { MaterialLine } from '../../api.ts';
import { formatTime } from '../format.ts';

/** An outlier is ten times as far from zero as three quarters of the balances of its warehouse. */
const FACTOR = 10;

/** The largest size of a balance of a line that is no outlier. Infinity if none is. */
const limitOf = ({ points }: MaterialLine) => {
  const sizes = points.flatMap(({ balance }) => (balance === null ? [] : [Math.abs(balance)]));
  sizes.sort((first, second) => first - second);
  return (sizes[Math.floor((sizes.length - 1) * 0.75)] ?? 0) * FACTOR || Number.POSITIVE_INFINITY;
};

/** The range of the balances without their outliers. Undefined if the chart needs to clip none. */
export const clippedRange = (lines: readonly MaterialLine[]) => {
  const all = lines.flatMap((line) => {
    const limit = limitOf(line);
    return line.points.flatMap(({ balance }) =>
      balance === null ? [] : [{ balance, isOutlier: Math.abs(balance) >= limit }],
    );
  });
  const usual = all.filter(({ isOutlier }) => !isOutlier).map(({ balance }) => balance);
  const [least, most] = [Math.min(0, ...usual), Math.max(0, ...usual)];
  return all.some(({ balance }) => balance < least || balance > most) ? ([least, most] as const) : undefined;
};

const LARGEST = 5;

const lastSizeOf = ({ points }: MaterialLine) => Math.abs(points.at(-1)?.balance ?? 0);

/** The warehouses with the largest balances in each unit, and those with findings. */
export const usualClients = (lines: readonly MaterialLine[], withFindings: readonly string[]) => {
  const largest = [...Map.groupBy(lines, ({ unit }) => unit).values()].flatMap((ofUnit) =>
    ofUnit.toSorted((one, other) => lastSizeOf(other) - lastSizeOf(one)).slice(0, LARGEST),
  );
  return [...largest.map(({ client }) => client), ...withFindings];
};

/**
 * A tick shows a day or a time. The first tick of a month or of a date shows the month or the date, too, unless the next tick has no room
 * for the next one: after 31 comes 01, and then 03.
 */
export const formatTick = (_: unknown, index: number, ticks: readonly number[] = []) => {
  const texts = ticks.map(formatTime);
  const [start, end] = texts.every((text) => text.endsWith('00:00')) ? [7, 10] : [10, 16];
  const [text = '', previous = ''] = [texts[index], texts[index - 1]];
  const monthOrDate = text.slice(0, start);
  const [first = 0, second = 0, third = 0] = ticks;
  const isCrowded = index === 0 && second - first < third - second && !texts[1]?.startsWith(monthOrDate);
  const isShown = !previous.startsWith(monthOrDate) && !isCrowded;
  return `${text.slice(start + 1, end)}\n${isShown ? monthOrDate : ''}`;
};
