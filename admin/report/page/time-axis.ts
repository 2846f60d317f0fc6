import { axisX } from '@observablehq/plot';

const TICK_EVERY_PX = 90;
const TEXT_PX = 64;
const MARGINS_PX = 76;
const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Days and, where there is room for them, hours; the year below the first one. */
export const timeAxis = (width: number, [from, until]: readonly [Date, Date]) => {
  const wanted = Math.max(2, Math.min(8, Math.floor(width / TICK_EVERY_PX)));
  let yearBefore = Number.NaN;
  let roomFrom = Number.NEGATIVE_INFINITY;
  const tickText = (at: Date) => {
    const x = ((at.getTime() - from.getTime()) / (until.getTime() - from.getTime())) * (width - MARGINS_PX);
    // There may be more ticks than were wanted, and one at the very end has no room for its text.
    if (x < roomFrom || at >= until) return '';
    roomFrom = x + TEXT_PX;
    const time = at.toISOString().slice(11, 16);
    const text = time === '00:00' ? dayText.format(at) : time;
    const year = at.getUTCFullYear();
    if (year === yearBefore) return text;
    yearBefore = year;
    return `${text}\n${year}`;
  };
  return axisX({ ticks: wanted, tickFormat: tickText, tickSize: 4, label: null });
};
