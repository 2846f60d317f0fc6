import { axisX } from '@observablehq/plot';

const COLOURS = 8;
const DASHES = ['none', '7 4', '2 3', '9 3 2 3'];

/** Eight colours and four dash patterns distinguish up to 32 clients. */
export const colourOf = (client: number) => `var(--c${client % COLOURS})`;
export const dashOf = (client: number) => DASHES[Math.floor(client / COLOURS) % DASHES.length] ?? 'none';

const TICK_EVERY_PX = 90;

/** Days and, in a short period, hours. */
export const timeAxis = (width: number) =>
  axisX({ ticks: Math.max(2, Math.min(8, Math.floor(width / TICK_EVERY_PX))), tickSize: 4, label: null });
