import { axisX, axisY, dot, gridY, line, plot, pointerX, ruleY, text, tip } from '@observablehq/plot';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HOUR_MS } from '../../../../shared/time.ts';
import { joinFirstNames } from '../../../text/words.ts';
import type { MaterialLine } from '../../api.ts';
import { formatNumber, formatSecond } from '../format.ts';
import { formatTick } from './chart-lines.ts';

const COLOURS = 8;
const DASHES = ['none', '7 4', '2 3', '9 3 2 3'];

/** Eight colours and four dash patterns make 32 different strokes. */
export const strokeOf = (client: number) => ({
  stroke: `var(--c${Math.max(0, client) % COLOURS})`,
  strokeDasharray: DASHES[Math.floor(client / COLOURS) % DASHES.length] ?? 'none',
  strokeWidth: 2,
});

const HEIGHT = 300;

/** More numbers beside the marks of outliers would cover each other. */
const MAX_NUMBERS = 5;

type Props = {
  code: string;
  unit: string;
  /** All warehouses of the page, so that each has the same stroke in every chart. */
  clients: readonly string[];
  lines: readonly MaterialLine[];
  start: number;
  until: number;
  /** Balances beyond it are clipped. */
  range: readonly [least: number, most: number] | undefined;
};

export const StepChart = (props: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width > 0) box.current?.replaceChildren(draw(props, width));
  }, [JSON.stringify([props.unit, props.lines, props.start, props.range]), width]);
  return <div ref={box} style={{ minHeight: `${HEIGHT}px` }} />;
};

/** Each balance is a step until the next balance or gap. The last step goes until `until`. */
const draw = ({ code, unit, clients, lines, start, until, range }: Props, width: number) => {
  const [least, most] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const clip = (balance: number) => Math.min(most, Math.max(least, balance));
  const drawnLines = lines.map(({ client, points }) => {
    const spots = points.map(({ at, balance }) => {
      const value = balance ?? Number.NaN;
      return { client, at, value, balance: clip(value) };
    });
    const steps = spots.flatMap((spot, index) => [spot, { ...spot, at: spots[index + 1]?.at ?? until }]);
    return { client, spots, steps };
  });
  const balances = drawnLines.flatMap(({ spots }) => spots).filter(({ balance }) => !Number.isNaN(balance));
  const outliers = balances.filter(({ value, balance }) => value !== balance);
  const hasNumbers = outliers.length <= MAX_NUMBERS;
  const isRight = ({ at }: { at: number }) => at > (start + until) / 2;
  const markOf = (outlier: (typeof outliers)[number]) => {
    const mark = outlier.value > most ? '▲' : '▼';
    const words = [mark, ...(hasNumbers ? [formatNumber(outlier.value)] : [])];
    return (isRight(outlier) ? words.reverse() : words).join(' ');
  };
  const axes = { x: 'at', y: 'balance' };
  const drawing = plot({
    width,
    height: HEIGHT,
    marginTop: 34,
    marginLeft: 70,
    marginRight: 16,
    x: { type: 'time', domain: [Math.min(start, until - HOUR_MS), until] },
    y: { nice: true },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
      axisX({ tickSize: 4, label: null, tickFormat: formatTick }),
      axisY({ tickSize: 0, label: unit, tickFormat: (value: number) => formatNumber(value) }),
      ruleY([0], { stroke: 'currentColor', strokeWidth: 1.25 }),
      ...drawnLines.flatMap(({ client, spots, steps }) => {
        const stroke = strokeOf(clients.indexOf(client));
        return [
          line(steps, { ...axes, ...stroke, className: 'steps' }),
          dot(spots.slice(-1), { ...axes, r: 3.5, fill: stroke.stroke }),
        ];
      }),
      // The numbers go from the marks towards the middle, where they have room.
      ...[true, false].map((isOnRight) =>
        text(
          outliers.filter((outlier) => isRight(outlier) === isOnRight),
          {
            ...axes,
            ...{ dx: isOnRight ? 5 : -5, dy: -10, textAnchor: isOnRight ? 'end' : 'start' },
            ...{ className: 'outliers', text: markOf },
          },
        ),
      ),
      tip(
        balances,
        pointerX({
          ...axes,
          title: ({ client, at, value }) => `${client}\n${formatSecond(at)}\n${formatNumber(value)} ${unit}`,
          fontSize: 13,
          stroke: 'var(--line-strong)',
        }),
      ),
    ],
  });
  // Plot labels the parts of an image, but ARIA does not allow these labels.
  for (const part of drawing.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
  const names = joinFirstNames([...new Set(lines.map(({ client }) => client))]);
  drawing.role = 'img';
  drawing.ariaLabel = `Balance of ${code} in ${unit} over time, of ${names}. The table below has the values.`;
  return drawing;
};
