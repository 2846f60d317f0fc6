import { axisY, dot, gridY, line, plot, pointer, pointerX, ruleY, tip } from '@observablehq/plot';
import { counted } from '../../../cli/words.ts';
import { formatAmount, formatSecond } from '../format.ts';
import type { Line } from '../model.ts';
import { colourOf, dashOf, timeAxis } from './chart.ts';

type Options = { code: string; unit: string; lines: readonly Line[]; until: number };

export const STEP_CHART_HEIGHT = 300;
const MIN_SPAN_MS = 3_600_000;
/** The axis shortens numbers from here on. */
const LONG = 1e6;
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

/** A step for each report, as a balance holds until the next report. */
export const stepChart = ({ code, unit, lines, until }: Options) => {
  const spots = lines.flatMap(({ client, spots }) =>
    spots.filter(({ balance }) => !Number.isNaN(balance)).map((spot) => ({ ...spot, client })),
  );
  const first = spots.reduce((least, { at }) => Math.min(least, at.getTime()), until - MIN_SPAN_MS);
  const domain = domainOf(spots.map(({ balance }) => balance));
  const isLong = domain.some((end) => Math.abs(end) >= LONG);
  const tickFormat = (value: number) =>
    isLong ? short.format(value).replace('-', '−') : formatAmount(value);
  const near = lines.length === 1 ? pointerX : pointer;
  const latest = lines.map(({ client, latest }) => `${client} ${formatAmount(latest.balance)} ${unit}`);
  const label = `Balance of ${code} over time, of ${counted(lines.length, 'client')}. Latest: ${latest.join('; ')}. The table below has the values.`;
  const draw = (width: number) =>
    plot({
      width,
      height: STEP_CHART_HEIGHT,
      marginTop: 34,
      marginLeft: 60,
      marginRight: 16,
      x: { type: 'time', domain: [new Date(first), new Date(until)] },
      y: { domain, nice: true },
      marks: [
        gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
        timeAxis(width),
        axisY({ tickFormat, tickSize: 0, ticks: 6, label: unit }),
        ruleY([0], { stroke: 'currentColor', strokeWidth: 1.25 }),
        ...lines.flatMap((line) => marksOf(line, until)),
        tip(
          spots,
          near({
            x: 'at',
            y: 'balance',
            title: ({ client, at, balance }) =>
              `${client}\n${formatSecond(at.getTime())}\n${formatAmount(balance)} ${unit}`,
            fontSize: 13,
            stroke: 'var(--line-strong)',
          }),
        ),
      ],
    });
  return { label, draw };
};

/** The steps, a dot at the latest balance and, if that is current, dots from there to the end. */
const marksOf = ({ spots, latest, clientIndex, isCurrent }: Line, until: number) => {
  const position = { x: 'at', y: 'balance' };
  const colour = colourOf(clientIndex);
  const steps = { curve: 'step-after', strokeWidth: 2, strokeDasharray: dashOf(clientIndex) } as const;
  const dotted = { strokeDasharray: '1 4', strokeLinecap: 'round' } as const;
  const end = isCurrent ? [latest, { ...latest, at: new Date(until) }] : [];
  return [
    line(spots, { ...position, ...steps, stroke: colour, className: 'steps' }),
    line(end, { ...position, ...dotted, stroke: colour }),
    dot([latest], { ...position, r: 3.5, fill: colour }),
  ];
};

/** Always includes zero, and is never empty. */
const domainOf = (balances: readonly number[]): [number, number] => {
  const low = balances.reduce((least, balance) => Math.min(least, balance), 0);
  const high = balances.reduce((most, balance) => Math.max(most, balance), 0);
  return low === high ? [-1, 1] : [low, high];
};
