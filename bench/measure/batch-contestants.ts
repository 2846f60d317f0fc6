import type { Bundler } from './bundles.ts';
import { BATCH_OPERATION } from './events.ts';

export const FLOOR = 'floor';
export const OURS = 'ours';
export const OURS_USUAL = 'ours, bundled as usual';

export type Contestant = { name: string; file: string };

/** The functions that store batches. The competitors are bundled as most guides show it. */
export const batchContestants = ({ usual, deployed }: Bundler): Contestant[] => [
  { name: FLOOR, file: usual.competitor('floor').file },
  { name: 'hono', file: usual.competitor('hono').file },
  { name: 'express', file: usual.competitor('express').file },
  { name: OURS_USUAL, file: usual.ours(BATCH_OPERATION).file },
  { name: OURS, file: deployed.ours(BATCH_OPERATION).file },
];

export const SMALL = 200;
export const MIDDLE = 4_000;
export const LARGE = 40_000;
export const batchSizes = [1, SMALL, MIDDLE, LARGE];

/** The floor writes one item, which is too small for the largest batch. */
export const canStore = (name: string, entries: number) => name !== FLOOR || entries < LARGE;
