import { Bench } from 'tinybench';

export type Rounds = { warmUps: number; runs: number };
export type Spread = { min: number; median: number; max: number };

/** A task returns the milliseconds that the function's own process measured. */
export type Task = { name: string; run: () => Promise<number> };

/** Runs the tasks one after another and returns a spread for each name. */
export const measureSeries = async (tasks: readonly Task[], { warmUps, runs }: Rounds) => {
  const bench = new Bench({
    iterations: runs,
    time: 0,
    warmupIterations: warmUps,
    warmupTime: 0,
    throws: true,
  });
  for (const { name, run } of tasks)
    bench.add(name, async () => ({ overriddenDuration: await run() }), { async: true });
  await bench.run();
  return new Map(bench.tasks.map(({ name, result }) => [name, spreadOf(result)]));
};

const spreadOf = (result: Bench['tasks'][number]['result']): Spread => {
  if (result.state !== 'completed') throw new Error(`A measurement ended in the state ${result.state}.`);
  const { min, p50, max } = result.latency;
  return { min, median: p50, max };
};

export const findSpread = (spreads: ReadonlyMap<string, Spread>, name: string) => {
  const spread = spreads.get(name);
  if (!spread) throw new Error(`${name} was not measured.`);
  return spread;
};
