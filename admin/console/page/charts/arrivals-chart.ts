import { axisX, axisY, cell, plot, pointer, text, tip } from '@observablehq/plot';
import { counted } from '../../../cli/words.ts';
import type { Arrivals, Day } from '../activity.ts';

const ROW_HEIGHT = 28;
const MARGIN_TOP = 26;
const LABEL = { narrow: 84, wide: 150, perLetter: 8 };
/** A cell of this width has room for its number. */
const READABLE_PX = 22;
const NARROW_PX = 600;
/** Even one batch has a colour, and the most have one on which the numbers are still readable. */
const OPACITIES = [0.16, 1] as const;

type Options = {
  arrivals: readonly Arrivals[];
  days: readonly Day[];
  clients: readonly string[];
  unit: string;
};

export const arrivalsHeight = (clients: number) => MARGIN_TOP + clients * ROW_HEIGHT + 4;

/** A row for each client and a cell for each day. A day of silence is hatched. */
export const arrivalsChart =
  ({ arrivals, days, clients, unit }: Options) =>
  (width: number) => {
    const longest = clients.reduce((most, { length }) => Math.max(most, length), 0);
    const marginLeft = Math.min(
      width < NARROW_PX ? LABEL.narrow : LABEL.wide,
      longest * LABEL.perLetter + 12,
    );
    const cellWidth = (width - marginLeft) / days.length;
    const position = { x: 'day', y: 'client', inset: cellWidth > 8 ? 1.5 : 0.5, rx: cellWidth > 8 ? 3 : 0 };
    const inState = (wanted: Arrivals['state']) => arrivals.filter(({ state }) => state === wanted);
    return plot({
      width,
      height: arrivalsHeight(clients.length),
      marginTop: MARGIN_TOP,
      marginLeft,
      marginRight: 0,
      marginBottom: 4,
      x: { type: 'band', domain: days.map(({ day }) => day), padding: 0 },
      y: { type: 'band', domain: clients, padding: 0 },
      opacity: { type: 'sqrt', range: OPACITIES },
      marks: [
        drawHatch,
        axisX(mondaysOf(days), { anchor: 'top', tickSize: 0, label: null, tickFormat: shortDay }),
        axisY({
          tickSize: 0,
          label: null,
          textOverflow: 'ellipsis',
          lineWidth: (marginLeft - 8) / 11,
        }),
        cell(inState('silent'), {
          ...position,
          fill: 'url(#hatch)',
          stroke: 'var(--line)',
          className: 'silent',
        }),
        cell(inState('partial'), {
          ...position,
          fill: 'none',
          stroke: 'var(--line)',
          strokeDasharray: '2 2',
        }),
        cell(inState('some'), { ...position, fill: 'var(--heat)', fillOpacity: 'count', className: 'some' }),
        ...(cellWidth < READABLE_PX ? [] : [text(inState('some'), { x: 'day', y: 'client', text: 'count' })]),
        tip(
          arrivals,
          pointer({
            x: 'day',
            y: 'client',
            title: (item: Arrivals) => `${item.client}\n${item.label}\n${describeCount(item, unit)}`,
            fontSize: 13,
            stroke: 'var(--line-strong)',
          }),
        ),
      ],
    });
  };

const describeCount = ({ count, state }: Arrivals, unit: string) =>
  state === 'unknown' ? 'not read' : counted(count, unit, unit === 'batch' ? 'batches' : `${unit}s`);

const months = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortDay = (day: string) => months.format(new Date(day));

const MONDAY = 1;
const MOST_TICKS = 10;

const mondaysOf = (days: readonly Day[]) => {
  const mondays = days.map(({ day }) => day).filter((day) => new Date(day).getUTCDay() === MONDAY);
  const step = Math.ceil(mondays.length / MOST_TICKS);
  return mondays.filter((_, index) => index % step === 0);
};

const SVG = 'http://www.w3.org/2000/svg';

/** A pattern that is seen without colours, and in print. */
const drawHatch = () => {
  const make = (name: string, attributes: Record<string, string>, ...children: Element[]) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const stripe = make('path', { d: 'M0 0V6', stroke: 'var(--hatch)', 'stroke-width': '2.5' });
  const size = { width: '6', height: '6', patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return make('defs', {}, make('pattern', { id: 'hatch', ...size }, stripe));
};
