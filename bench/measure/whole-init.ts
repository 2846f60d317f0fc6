import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startRuntimeClient } from '../../test/runtime/runtime-client.ts';
import { formatSpread, numbersTable, percent } from '../markdown.ts';
import { type Bundler, competitorNames, functionNames } from './bundles.ts';
import { environmentOf } from './environment.ts';
import { findSpread, measureSeries, type Spread } from './series.ts';

type WholeInit = { name: string; initMs: Spread };

/** Variables that the runtime client needs. */
const FUNCTION = {
  _HANDLER: 'index.handler',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1769',
  AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
  AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
};

/** From the start of the process until AWS's runtime client asks for the first event. */
const measureInit = async (file: string) => {
  const startedAt = performance.now();
  const client = await startRuntimeClient({
    ...environmentOf(),
    ...FUNCTION,
    LAMBDA_TASK_ROOT: dirname(file),
  });
  const failure = await client.start();
  const ms = performance.now() - startedAt;
  await client.stop();
  if (failure) throw new Error(`${file} did not start: ${failure}`);
  return ms;
};

const EMPTY = 'empty function';

export const measureWholeInits = async ({ usual, deployed }: Bundler, runs: number): Promise<WholeInit[]> => {
  const contestants = [
    { name: EMPTY, ...deployed.competitor('empty') },
    ...competitorNames.map((name) => ({
      name: `${name}, bundled as usual`,
      ...usual.competitor(name),
    })),
    ...functionNames.map((name) => ({ name, ...deployed.ours(name) })),
  ];
  const tasks = contestants.map(({ name, file }) => ({ name, run: () => measureInit(file) }));
  const spreads = await measureSeries(tasks, { warmUps: 1, runs });
  return contestants.map(({ name }) => ({ name, initMs: findSpread(spreads, name) }));
};

export const wholeInitTable = (inits: readonly WholeInit[]) => {
  const empty = inits.find(({ name }) => name === EMPTY)?.initMs.median ?? Number.NaN;
  return numbersTable(
    ['', 'Whole init, ms', 'Against the empty function'],
    inits.map(({ name, initMs }) => [name, formatSpread(initMs), percent(initMs.median / empty)]),
  );
};
