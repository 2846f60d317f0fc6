import type { FunctionName } from '../harness/functions.ts';
import type { Run, Runs } from '../harness/runner.ts';
import { median, rounded } from '../harness/statistics.ts';
import type { Served } from './measured.ts';

const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line.trimEnd()), 0);

type Timed = {
  name: string;
  function: FunctionName;
  runs: Runs;
  warmUps: number;
  calls: { all: number; inTurn: number };
};

/** What the runs of one kind of request say: the first, the warm-ups that nobody looks at, and the others. */
export const servedFrom = ({
  name,
  function: functionName,
  runs: { runs },
  warmUps,
  calls,
}: Timed): Served => {
  const [first] = runs;
  const warm = runs.slice(1 + warmUps);
  const last = warm.at(-1);
  if (!first || !last) throw new Error(`${name} was not served often enough.`);
  return {
    name,
    function: functionName,
    cpuMs: rounded(median(warm.map(({ cpuMs }) => cpuMs)), 2),
    firstCpuMs: rounded(first.cpuMs, 1),
    calls: calls.all,
    callsInTurn: calls.inTurn,
    logBytes: bytesOf(last.log),
  };
};

/** The metrics that lines in CloudWatch's embedded format are, as one name for each combination of dimensions. */
export const metricsIn = (runs: readonly Run[]) => {
  const found = new Set<string>();
  for (const line of runs.flatMap(({ log }) => log)) for (const metric of metricsOf(line)) found.add(metric);
  return found;
};

type Embedded = { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };

const metricsOf = (line: string) => {
  const fields: { [field: string]: unknown; _aws?: Embedded } = JSON.parse(line);
  return (fields._aws?.CloudWatchMetrics ?? []).flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = names.map((name) => `${name}=${fields[name]}`).join();
      return Metrics.map(({ Name }) => `${Name}{${dimensions}}`);
    }),
  );
};
