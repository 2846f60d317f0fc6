import { count, formatSpread, numbersTable } from '../markdown.ts';
import { batchContestants, OURS, OURS_USUAL, SMALL } from './batch-contestants.ts';
import type { Bundler } from './bundles.ts';
import type { ColdStart } from './cold-start.ts';
import { environmentOf } from './environment.ts';
import { BATCH_OPERATION, batchEvents } from './events.ts';
import { serveOk, startProcess } from './function-process.ts';
import { measureSeries, type Spread } from './series.ts';
import { tablesIn } from './tables.ts';

export type FirstRequests = ReadonlyMap<string, Spread>;

/** Every run starts a new process, so the code of the request has never run before. */
export const measureFirstRequests = async (
  bundler: Bundler,
  engine: string,
  runs: number,
): Promise<FirstRequests> => {
  const table = await tablesIn(engine).create(BATCH_OPERATION);
  const environment = environmentOf({ tables: engine, table });
  const eventOf = batchEvents(SMALL);
  const tasks = batchContestants(bundler).map(({ name, file }) => {
    let serial = 0;
    const run = async () => {
      const process = await startProcess({ file, environment });
      serial += 1;
      const { ms } = await serveOk(process, eventOf(serial));
      await process.stop();
      return ms;
    };
    return { name, run };
  });
  return measureSeries(tasks, { warmUps: 1, runs });
};

const loadMsOf = (coldStarts: readonly ColdStart[], name: string) => {
  const isOurs = name === OURS || name === OURS_USUAL;
  const found = coldStarts.find((coldStart) => coldStart.name === (isOurs ? BATCH_OPERATION : name));
  if (!found) throw new Error(`The loading time of ${name} was not measured.`);
  return (name === OURS ? found.deployed : found.usual).loadMs.median;
};

export const firstRequestTable = (firstRequests: FirstRequests, coldStarts: readonly ColdStart[]) =>
  numbersTable(
    ['', 'Load, ms', 'First request, ms', 'Load and first request, ms'],
    [...firstRequests].map(([name, firstMs]) => {
      const loadMs = loadMsOf(coldStarts, name);
      return [name, count(loadMs, 1), formatSpread(firstMs), count(loadMs + firstMs.median, 1)];
    }),
  );
