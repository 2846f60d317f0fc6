import { el } from './dom.ts';

const COLOURS = 8;
const DASHES = ['none', '7 4', '2 3', '9 3 2 3'];

/** Thirty clients are told apart by eight colours and four kinds of lines. */
export const colourOf = (client: number) => `var(--c${client % COLOURS})`;
export const dashOf = (client: number) => DASHES[Math.floor(client / COLOURS) % DASHES.length] ?? 'none';

const svg = (name: string, attributes: { [name: string]: string }) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
};

const swatch = (client: number, kind: 'line' | 'bar') => {
  const drawing = svg('svg', { width: '22', height: '12', 'aria-hidden': 'true' });
  const line = {
    x1: '0',
    x2: '22',
    y1: '6',
    y2: '6',
    stroke: colourOf(client),
    'stroke-width': '2.5',
    'stroke-dasharray': dashOf(client),
  };
  const bar = { x: '5', y: '0', width: '12', height: '12', rx: '2', fill: colourOf(client) };
  drawing.append(kind === 'line' ? svg('line', line) : svg('rect', bar));
  return drawing;
};

export const legend = (clients: readonly { name: string; index: number }[], kind: 'line' | 'bar') =>
  el('ul', { class: 'legend' }, ...clients.map(({ name, index }) => el('li', {}, swatch(index, kind), name)));

/** Stripes, for a span of which there is nothing to show. */
export const hatching = (id: string) => {
  const pattern = svg('pattern', {
    id,
    width: '6',
    height: '6',
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  });
  pattern.append(svg('rect', { width: '1.5', height: '6', fill: 'var(--hatch)' }));
  const defs = svg('defs', {});
  defs.append(pattern);
  return defs;
};
