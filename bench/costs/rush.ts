import { writeUnits } from '../harness/rules.ts';
import { assumptions } from './assumptions.ts';
import { coldMs, warmMs } from './billed.ts';
import { type LimitName, limitNames, limitsOf } from './limits.ts';
import type { Measured } from './measured.ts';
import { factsOf, operationOf } from './request.ts';
import { batchName, listName } from './scenarios.ts';

/** What it comes to when many warehouses report a batch and a change, and read both lists, within so many seconds. */
export type Rush = { warehouses: number; seconds: number; entries: number };
export type Need = { limit: LimitName; needed: number; allowed: number; times: number };

/** One of each operation. */
const REQUESTS_OF_ONE = 4;

/** Little's law where arrivals go on for longer than a request takes; at most all of them at once. */
export const atOnce = (arrivals: number, overSeconds: number, takesSeconds: number) =>
  arrivals * Math.min(1, takesSeconds / overSeconds);

/** Everybody comes after a pause, so every process has to start: the most that a rush can need. */
const concurrencyOf = (measured: Measured, { warehouses, seconds, entries }: Rush) => {
  const { readsSecret } = measured.authorizer;
  const lists = ['material codes', 'purchase orders'].map((list) =>
    operationOf(measured, listName(list, assumptions.listRows.value)),
  );
  const served = [operationOf(measured, batchName(entries)), operationOf(measured, 'change'), ...lists];
  const ofFunctions = served.map((each) =>
    atOnce(warehouses, seconds, coldMs(each, factsOf(measured, each.function)) / 1_000),
  );
  const authorizing = coldMs(readsSecret, factsOf(measured, readsSecret.function)) / 1_000;
  return [atOnce(warehouses * served.length, seconds, authorizing), ...ofFunctions].map(Math.ceil);
};

/** A batch of many items is written for as long as the function works on it. */
const writtenOver = (measured: Measured, { seconds, entries }: Rush) => {
  const batch = operationOf(measured, batchName(entries));
  return Math.max(seconds, warmMs(batch, factsOf(measured, batch.function)) / 1_000);
};

const listUnits = (measured: Measured) =>
  operationOf(measured, listName('material codes', assumptions.listRows.value)).readUnits;

export const needsOf = (measured: Measured, rush: Rush): Need[] => {
  const { warehouses, seconds, entries } = rush;
  const inDeployment = Math.min(warehouses, assumptions.clientsPerDeployment.value);
  const batch = operationOf(measured, batchName(entries));
  const busy = concurrencyOf(measured, rush);
  const busiest = concurrencyOf(measured, { ...rush, warehouses: inDeployment });
  const all = busy.reduce((sum, each) => sum + each, 0);
  const reads = measured.authorizer.readsSecret.calls * REQUESTS_OF_ONE;
  const needed: Record<LimitName, number> = {
    operation: inDeployment / seconds,
    gateway: (warehouses * REQUESTS_OF_ONE) / seconds,
    concurrency: all,
    newAccount: all,
    newProcesses: Math.max(...busiest),
    secrets: (warehouses * reads) / seconds,
    partitionWrites: writeUnits(batch.largestItemBytes),
    tableWrites: (inDeployment * batch.writeUnits) / writtenOver(measured, rush),
    tableReads: (inDeployment * listUnits(measured)) / seconds,
  };
  const limits = limitsOf(measured);
  return limitNames.map((limit) => {
    const allowed = limits[limit].allows(seconds);
    return { limit, needed: needed[limit], allowed, times: allowed / needed[limit] };
  });
};

/** The limit that is nearest, or furthest behind. */
export const firstMet = (needs: readonly Need[]) => {
  const [first] = needs.toSorted((one, other) => one.times - other.times);
  if (!first) throw new Error('There is no limit.');
  return first;
};

/** How many warehouses could do the same at once before the limit is met. */
export const warehousesUntil = ({ warehouses }: Rush, { times }: Need) => Math.floor(warehouses * times);
