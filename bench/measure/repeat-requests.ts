import { serveOk, startProcess } from './function-process.ts';
import { findSpread, measureSeries, type Rounds } from './series.ts';

type Contestant = { name: string; file: string };

type Requests = {
  environment: Record<string, string>;
  heapMb?: number;
  eventOf: (serial: number) => object;
  time: 'ms' | 'cpuMs';
  rounds: Rounds;
};

export const repeatRequests = async (
  contestants: readonly Contestant[],
  { environment, heapMb, eventOf, time, rounds }: Requests,
) => {
  const started = await Promise.all(
    contestants.map(async ({ name, file }) => {
      const process = await startProcess({ file, environment, heapMb });
      return { name, process, served: 0, peakMb: 0 };
    }),
  );
  const tasks = started.map((contestant) => ({
    name: contestant.name,
    run: async () => {
      contestant.served += 1;
      const served = await serveOk(contestant.process, eventOf(contestant.served));
      contestant.peakMb = served.peakMb;
      return served[time];
    },
  }));
  const spreads = await measureSeries(tasks, rounds);
  await Promise.all(started.map(({ process }) => process.stop()));
  return started.map(({ name, peakMb }) => ({ name, peakMb, ms: findSpread(spreads, name) }));
};
