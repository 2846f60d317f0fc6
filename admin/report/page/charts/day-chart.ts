import { axisY, gridY, plot, rect, rectY, ruleY, stackY } from '@observablehq/plot';
import { DAY_MS } from '../../../cli/time.ts';
import { counted, grouped } from '../../../cli/words.ts';
import { formatDay } from '../format.ts';
import { missingDays, sum } from '../model.ts';
import { chart, colourOf, timeAxis } from './chart.ts';

export type Bar = { client: number; day: number; count: number };

type Options = {
  what: string;
  bars: readonly Bar[];
  clients: readonly string[];
  /** UTC days since 1970. At least a part of both is in the period. */
  first: number;
  last: number;
};

const HEIGHT = 220;
/** A gap between the thin bars of more clients would hide them. */
const MAX_CLIENTS_WITH_GAPS = 8;
const startOf = (day: number) => new Date(day * DAY_MS);
const endOf = (day: number) => startOf(day + 1);

/** Stacked bars for each day, and stripes on a whole day without any. */
export const dayChart = ({ what, bars, clients, first, last }: Options) => {
  const days = bars.map(({ day }) => day);
  const silent = missingDays(first + 1, last, days);
  const barsByDay = [...Map.groupBy(bars, ({ day }) => day).values()];
  const highest = Math.max(1, ...barsByDay.map((bars) => sum(bars.map(({ count }) => count))));
  const ticks = Math.min(5, highest);
  const total = counted(sum(bars.map(({ count }) => count)), what);
  const label = `${total} over ${counted(last - first + 1, 'day')}; ${counted(silent.length, 'whole day')} without any. The table below has the figures.`;
  return chart(label, HEIGHT, (width) =>
    plot({
      width,
      height: HEIGHT,
      marginLeft: 60,
      marginRight: 16,
      x: { type: 'utc', domain: [startOf(first), endOf(last)] },
      y: { domain: [0, highest], nice: true },
      color: { type: 'identity' },
      marks: [
        gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks }),
        timeAxis(width),
        axisY({ tickFormat: (value: number) => grouped(value), tickSize: 0, ticks, label: null }),
        rect(silent, {
          x1: startOf,
          x2: endOf,
          y1: 0,
          y2: highest,
          fill: 'url(#hatch)',
          className: 'silent',
        }),
        rectY(
          bars,
          stackY({
            x1: ({ day }: Bar) => startOf(day),
            x2: ({ day }: Bar) => endOf(day),
            y: 'count',
            z: 'client',
            fill: ({ client }: Bar) => colourOf(client),
            title: ({ client, day, count }: Bar) =>
              `${clients[client] ?? ''}\n${formatDay(day * DAY_MS)}\n${counted(count, what)}`,
            tip: { fontSize: 13, stroke: 'var(--line-strong)' },
            insetLeft: 0.5,
            insetRight: 0.5,
            insetTop: clients.length > MAX_CLIENTS_WITH_GAPS ? 0 : 1,
            className: 'bars',
          }),
        ),
        ruleY([0], { stroke: 'currentColor' }),
      ],
    }),
  );
};
