import * as v from 'valibot';
import { count } from '../harness/markdown.ts';
import type { Spread as Measured } from '../harness/statistics.ts';

/** What repeated measurements of one thing came to, as it is kept. */
export const Spread = v.strictObject({ min: v.number(), median: v.number(), max: v.number() });

/** The median, with the least and the most. */
export const told = ({ min, median, max }: Measured, digits = 1) =>
  `${count(median, digits)} (${count(min, digits)}–${count(max, digits)})`;
