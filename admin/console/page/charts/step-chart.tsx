import { axisX, axisY, dot, gridY, line, plot, pointerX, ruleY, tip } from '@observablehq/plot';
import { useEffect, useRef } from 'preact/hooks';
import { HOUR_MS } from '../../../../shared/time.ts';
import { joinNames } from '../../../cli/words.ts';
import { formatAmount, formatSecond } from '../format.ts';
import { type Row, spotsIn } from '../model.ts';

const COLOURS = 8;
const DASHES = ['none', '7 4', '2 3', '9 3 2 3'];

/** Eight colours and four dash patterns distinguish up to 32 clients. */
export const strokeOf = (client: number) => ({
  stroke: `var(--c${client % COLOURS})`,
  strokeDasharray: DASHES[Math.floor(client / COLOURS) % DASHES.length] ?? 'none',
  strokeWidth: 2,
});

const HEIGHT = 300;

type Props = { unit: string; rows: readonly Row[]; until: number };

export const StepChart = ({ unit, rows, until }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let drawnWidth = 0;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === drawnWidth) return;
      drawnWidth = width;
      const drawing = draw({ unit, rows, until }, width);
      // Plot labels the parts of an image, but ARIA does not allow these labels.
      for (const part of drawing.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
      entry?.target.replaceChildren(drawing);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [unit, rows, until]);
  return <div ref={box} style={{ minHeight: `${HEIGHT}px` }} />;
};

/** A step for each report, as a balance holds until the next report. */
const draw = ({ unit, rows, until }: Props, width: number) => {
  const lines = rows.map((row) => ({ ...row, spots: spotsIn(unit, row.points) }));
  const spots = lines.flatMap(({ client, spots }) => spots.map((spot) => ({ ...spot, client })));
  const known = spots.filter(({ balance }) => !Number.isNaN(balance));
  const clients = joinNames(new Set(spots.map(({ client }) => client)));
  const start = known.reduce((least, { at }) => Math.min(least, at), until - HOUR_MS);
  const position = { x: 'at', y: 'balance' };
  const drawing = plot({
    width,
    height: HEIGHT,
    marginTop: 34,
    marginLeft: 70,
    marginRight: 16,
    x: { type: 'time', domain: [start, until] },
    y: { nice: true },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
      axisX({ tickSize: 4, label: null }),
      axisY({ tickSize: 0, label: unit }),
      ruleY([0], { stroke: 'currentColor', strokeWidth: 1.25 }),
      ...lines.flatMap(({ clientIndex, spots }) => [
        line(spots, { ...position, ...strokeOf(clientIndex), curve: 'step-after', className: 'steps' }),
        dot(spots.slice(-1), { ...position, r: 3.5, fill: strokeOf(clientIndex).stroke }),
      ]),
      tip(
        known,
        pointerX({
          ...position,
          title: ({ client, at, balance }) =>
            `${client}\n${formatSecond(at)}\n${formatAmount(balance)} ${unit}`,
          fontSize: 13,
          stroke: 'var(--line-strong)',
        }),
      ),
    ],
  });
  drawing.role = 'img';
  drawing.ariaLabel = `Balance of ${rows[0]?.code} in ${unit} over time, of ${clients}. The table below has the values.`;
  return drawing;
};
