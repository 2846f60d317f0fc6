import { axisY, gridY, plot, rect, rectY, ruleY, stackY } from '@observablehq/plot';
import { DAY_MS } from '../../cli/time.ts';
import { counted, grouped } from '../../cli/words.ts';
import { chart } from './chart.ts';
import { isNotIn } from './client-activity.ts';
import { colourOf, hatching } from './colours.ts';
import { timeAxis } from './time-axis.ts';
import { day as dayText } from './words.ts';

export type Bar = { client: number; day: number; count: number };

type Shown = {
  what: string;
  bars: readonly Bar[];
  clients: readonly string[];
  /** UTC days since 1970; both lie in the period at least in part. */
  first: number;
  last: number;
};

const HEIGHT = 220;
const FEW = 8;
const instant = (day: number) => new Date(day * DAY_MS);

/** Bars on each other for each day, and stripes where a whole day had none. */
export const dayChart = ({ what, bars, clients, first, last }: Shown) => {
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const silent = days.slice(1, -1).filter(isNotIn(bars.map(({ day }) => day)));
  const period: [Date, Date] = [instant(first), instant(last + 1)];
  const most = mostOf(bars);
  const ticks = Math.min(5, most);
  const id = `hatch-${what}`;
  const label = labelOf({ what, bars, days: days.length, silent: silent.length });
  return chart(label, HEIGHT, (width) =>
    plot({
      width,
      height: HEIGHT,
      marginLeft: 60,
      marginRight: 16,
      x: { type: 'utc', domain: period },
      y: { domain: [0, most], nice: true },
      color: { type: 'identity' },
      marks: [
        () => hatching(id),
        gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks }),
        timeAxis(width, period),
        axisY({
          tickFormat: (value: number) => grouped(value),
          tickSize: 0,
          ticks: Math.min(5, most),
          label: null,
        }),
        rect(silent, {
          x1: (day: number) => instant(day),
          x2: (day: number) => instant(day + 1),
          y1: 0,
          y2: most,
          fill: `url(#${id})`,
          className: 'silent',
        }),
        rectY(
          bars,
          stackY({
            x1: ({ day }: Bar) => instant(day),
            x2: ({ day }: Bar) => instant(day + 1),
            y: 'count',
            z: 'client',
            fill: ({ client }: Bar) => colourOf(client),
            title: ({ client, day, count }: Bar) =>
              `${clients[client] ?? ''}\n${dayText(day * DAY_MS)}\n${counted(count, what)}`,
            tip: { fontSize: 13, stroke: 'var(--line-strong)' },
            insetLeft: 0.5,
            insetRight: 0.5,
            // Between thin bars, a gap would be all that is seen.
            insetTop: clients.length > FEW ? 0 : 1,
            className: 'bars',
          }),
        ),
        ruleY([0], { stroke: 'currentColor' }),
      ],
    }),
  );
};

const mostOf = (bars: readonly Bar[]) => {
  const sums = new Map<number, number>();
  for (const { day, count } of bars) sums.set(day, count + (sums.get(day) ?? 0));
  return Math.max(1, ...sums.values());
};

type Summary = { what: string; bars: readonly Bar[]; days: number; silent: number };

const labelOf = ({ what, bars, days, silent }: Summary) => {
  const sum = bars.reduce((total, { count }) => total + count, 0);
  return `${counted(sum, what)} over ${counted(days, 'day')}; ${counted(silent, 'whole day')} without any. The table below has the figures.`;
};
