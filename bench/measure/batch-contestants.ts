import { type Bundler, competitorNames } from './bundles.ts';
import { BATCH_OPERATION } from './events.ts';

export const FLOOR = 'floor';
export const OURS = 'ours';
export const OURS_USUAL = 'ours, bundled as usual';

export type Contestant = { name: string; file: string };

export const competitors = ({ usual }: Bundler): Contestant[] =>
  competitorNames.map((name) => ({ name, file: usual.competitor(name).file }));

export const batchContestants = (bundler: Bundler): Contestant[] => [
  ...competitors(bundler),
  { name: OURS_USUAL, file: bundler.usual.ours(BATCH_OPERATION).file },
  { name: OURS, file: bundler.deployed.ours(BATCH_OPERATION).file },
];

export const SMALL = 200;
export const MIDDLE = 4_000;
export const LARGE = 40_000;
export const batchSizes = [1, SMALL, MIDDLE, LARGE];

/** The floor writes only one item, which cannot hold the largest batch. */
export const canStore = (name: string, entries: number) => name !== FLOOR || entries < LARGE;
