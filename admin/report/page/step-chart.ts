import { axisY, dot, gridY, line, plot, pointer, pointerX, ruleY, tip } from '@observablehq/plot';
import { counted } from '../../cli/words.ts';
import { chart } from './chart.ts';
import { colourOf, dashOf } from './colours.ts';
import type { Line } from './lines.ts';
import { timeAxis } from './time-axis.ts';
import { amount, timeToSecond } from './words.ts';

type Shown = { code: string; unit: string; lines: readonly Line[]; until: number };

const HEIGHT = 300;
const LEAST_SPAN_MS = 3_600_000;
/** From here on, numbers at the axis are written short. */
const LONG = 1e6;
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

/** Steps, because between two statements nobody has said anything. */
export const stepChart = ({ code, unit, lines, until }: Shown) => {
  const spots = lines.flatMap(({ client, spots }) =>
    spots.filter(({ balance }) => !Number.isNaN(balance)).map((spot) => ({ ...spot, client })),
  );
  const first = spots.reduce((least, { at }) => Math.min(least, at.getTime()), until - LEAST_SPAN_MS);
  const period: [Date, Date] = [new Date(first), new Date(until)];
  const domain = domainOf(spots.map(({ balance }) => balance));
  const isLong = domain.some((end) => Math.abs(end) >= LONG);
  const tickFormat = (value: number) => (isLong ? short.format(value).replace('-', '−') : amount(value));
  const near = lines.length === 1 ? pointerX : pointer;
  return chart(label(code, unit, lines), HEIGHT, (width) =>
    plot({
      width,
      height: HEIGHT,
      marginTop: 34,
      marginLeft: 60,
      marginRight: 16,
      x: { type: 'utc', domain: period },
      y: { domain, nice: true },
      marks: [
        gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
        timeAxis(width, period),
        axisY({ tickFormat, tickSize: 0, ticks: 6, label: unit }),
        ruleY([0], { stroke: 'currentColor', strokeWidth: 1.25 }),
        ...lines.map(({ spots, clientIndex }) =>
          line(spots, {
            x: 'at',
            y: 'balance',
            curve: 'step-after',
            stroke: colourOf(clientIndex),
            strokeWidth: 2,
            strokeDasharray: dashOf(clientIndex),
            className: 'steps',
          }),
        ),
        ...lines
          .filter(({ isCurrent }) => isCurrent)
          .map(({ latest, clientIndex }) =>
            line([latest, { ...latest, at: new Date(until) }], {
              x: 'at',
              y: 'balance',
              stroke: colourOf(clientIndex),
              strokeDasharray: '1 4',
              strokeLinecap: 'round',
              className: 'since',
            }),
          ),
        ...lines.map(({ latest, clientIndex }) =>
          dot([latest], { x: 'at', y: 'balance', r: 3.5, fill: colourOf(clientIndex) }),
        ),
        tip(
          spots,
          near({
            x: 'at',
            y: 'balance',
            title: ({ client, at, balance }) =>
              `${client}\n${timeToSecond(at.getTime())} UTC\n${amount(balance)} ${unit}`,
            fontSize: 13,
            stroke: 'var(--line-strong)',
          }),
        ),
      ],
    }),
  );
};

/** With the zero always, and never without a height. */
const domainOf = (balances: readonly number[]): [number, number] => {
  const low = balances.reduce((least, balance) => Math.min(least, balance), 0);
  const high = balances.reduce((most, balance) => Math.max(most, balance), 0);
  return low === high ? [-1, 1] : [low, high];
};

const label = (code: string, unit: string, lines: readonly Line[]) => {
  const latest = lines.map(({ client, latest }) => `${client} ${amount(latest.balance)} ${unit}`);
  return `Balance of ${code} over time, of ${counted(lines.length, 'client')}. Latest: ${latest.join('; ')}. The table below has the values.`;
};
