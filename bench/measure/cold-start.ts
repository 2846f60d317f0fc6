import { count, formatSpread, numbersTable, percent } from '../markdown.ts';
import { type Bundle, type Bundler, competitorNames, functionNames } from './bundles.ts';
import { environmentOf } from './environment.ts';
import { startProcess } from './function-process.ts';
import { findSpread, measureSeries, type Spread } from './series.ts';

type Loaded = Bundle & { loadMs: Spread };
export type ColdStart = { name: string; usual: Loaded; deployed: Loaded };

/** The process only loads its bundle. In its environment, no service can be reached. */
export const measureLoad = async (file: string) => {
  const process = await startProcess({ file, environment: environmentOf() });
  await process.stop();
  return process.loadMs;
};

export const measureColdStarts = async ({ usual, deployed }: Bundler, runs: number): Promise<ColdStart[]> => {
  const competitors = competitorNames.map((name) => ({
    name,
    usual: usual.competitor(name),
    deployed: deployed.competitor(name),
  }));
  const ours = functionNames.map((name) => ({
    name,
    usual: usual.ours(name),
    deployed: deployed.ours(name),
  }));
  const contestants = [...competitors, ...ours];
  const tasks = contestants
    .flatMap((contestant) => [contestant.usual, contestant.deployed])
    .map(({ file }) => ({ name: file, run: () => measureLoad(file) }));
  const spreads = await measureSeries(tasks, { warmUps: 1, runs });
  const loaded = (bundle: Bundle) => ({ ...bundle, loadMs: findSpread(spreads, bundle.file) });
  return contestants.map((contestant) => ({
    ...contestant,
    usual: loaded(contestant.usual),
    deployed: loaded(contestant.deployed),
  }));
};

const KB = 1_000;

export const coldStartTable = (contestants: readonly ColdStart[]) =>
  numbersTable(
    ['', 'Usual: KB', 'Load, ms', 'As deployed: KB', 'Load, ms', 'Load against usual'],
    contestants.map(({ name, usual, deployed }) => [
      name,
      count(usual.bytes / KB),
      formatSpread(usual.loadMs),
      count(deployed.bytes / KB),
      formatSpread(deployed.loadMs),
      percent(deployed.loadMs.median / usual.loadMs.median),
    ]),
  );
