import { axisX, frame, plot, ruleY } from '@observablehq/plot';
import { el } from '../dom.ts';

const COLOURS = 8;
const DASHES = ['none', '7 4', '2 3', '9 3 2 3'];

/** Eight colours and four dash patterns distinguish up to 32 clients. */
export const colourOf = (client: number) => `var(--c${client % COLOURS})`;
export const dashOf = (client: number) => DASHES[Math.floor(client / COLOURS) % DASHES.length] ?? 'none';

/** Draws for the available width, and again when it changes. The height is fixed, so nothing jumps. */
export const chart = (
  label: string,
  height: number,
  draw: (width: number) => SVGSVGElement | HTMLElement,
) => {
  const box = el('div', { class: 'chart' });
  box.style.minHeight = `${height}px`;
  let drawnWidth = 0;
  const redraw = () => {
    const width = Math.floor(box.clientWidth);
    if (width === 0 || width === drawnWidth) return;
    drawnWidth = width;
    const drawing = draw(width);
    drawing.role = 'img';
    drawing.ariaLabel = label;
    box.replaceChildren(drawing);
  };
  new ResizeObserver(redraw).observe(box);
  return box;
};

export const legend = (clients: readonly { name: string; index: number }[], kind: 'line' | 'bar') =>
  el(
    'ul',
    { class: 'flow small' },
    ...clients.map(({ name, index }) => el('li', {}, swatch(index, kind), name)),
  );

const swatch = (client: number, kind: 'line' | 'bar') => {
  const stroke = { stroke: colourOf(client), strokeDasharray: dashOf(client), strokeWidth: 2.5 };
  const mark = kind === 'line' ? ruleY([0], stroke) : frame({ fill: colourOf(client) });
  const drawing = plot({ width: 24, height: 12, margin: 0, axis: null, marks: [mark] });
  drawing.ariaHidden = 'true';
  return drawing;
};

const TICK_EVERY_PX = 90;

/** Days and, in a short period, hours. */
export const timeAxis = (width: number) =>
  axisX({ ticks: Math.max(2, Math.min(8, Math.floor(width / TICK_EVERY_PX))), tickSize: 4, label: null });
