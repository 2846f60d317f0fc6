import { axisX, axisY, dot, gridY, line, plot, pointerX, ruleY, tip } from '@observablehq/plot';
import { HOUR_MS } from '../../../cli/time.ts';
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

export const STEP_CHART_HEIGHT = 300;

type Options = { unit: string; rows: readonly Row[]; until: number };

/** A step for each report, as a balance holds until the next report. */
export const stepChart = ({ unit, rows, until }: Options) => {
  const lines = rows.map((row) => ({ ...row, spots: spotsIn(unit, row.points) }));
  const spots = lines.flatMap(({ client, spots }) => spots.map((spot) => ({ ...spot, client })));
  const known = spots.filter(({ balance }) => !Number.isNaN(balance));
  const clients = joinNames(new Set(spots.map(({ client }) => client)));
  const label = `Balance of ${rows[0]?.code} in ${unit} over time, of ${clients}. The table below has the values.`;
  const start = known.reduce((least, { at }) => Math.min(least, at), until - HOUR_MS);
  const position = { x: 'at', y: 'balance' };
  const draw = (width: number) =>
    plot({
      width,
      height: STEP_CHART_HEIGHT,
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
  return { label, draw };
};
