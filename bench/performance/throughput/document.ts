import * as v from 'valibot';
import { count, numbersTable, percent } from '../../harness/markdown.ts';

const Load = v.strictObject({
  name: v.string(),
  connections: v.number(),
  requests: v.number(),
  perSecond: v.number(),
  medianMs: v.number(),
  p99Ms: v.number(),
  /** Of all processors together. */
  busy: v.number(),
  /** None where the system does not tell. */
  processor: v.array(v.strictObject({ role: v.string(), msARequest: v.number() })),
});
export const Throughput = v.strictObject({ cores: v.number(), seconds: v.number(), loads: v.array(Load) });
export type Load = v.InferOutput<typeof Load>;
type Throughput = v.InferOutput<typeof Throughput>;

/** The least that so large a share of them does not exceed. */
export const percentile = (numbers: readonly number[], share: number) => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

/** The gateway keeps its answers, so that it is hardly asked. */
const IDLE = 'authorizer';

/** Each has one thread for all that it does, which can take about a core and no more. */
const SINGLE = ['gateway', 'what sends'];
const NEARLY_A_CORE = 0.8;

/** Who takes the most of the processors, and which part of all that is taken. */
export const busiest = ({ processor, perSecond }: Load) => {
  const all = processor.reduce((sum, { msARequest }) => sum + msARequest, 0);
  const [most] = processor.toSorted((one, other) => other.msARequest - one.msARequest);
  return (
    most && { role: most.role, share: most.msARequest / all, cores: (most.msARequest * perSecond) / 1_000 }
  );
};

const msOf = ({ processor }: Load, role: string) => {
  const ms = processor.find((each) => each.role === role)?.msARequest;
  return ms === undefined ? '–' : count(ms, 2);
};

const boundsInWords = (loads: readonly Load[]) => {
  const most = Math.max(...loads.map(({ connections }) => connections));
  const lines = loads
    .filter(({ connections }) => connections === most)
    .flatMap((load) => {
      const first = busiest(load);
      if (!first) return [];
      const isAtItsEnd = SINGLE.includes(first.role) && first.cores >= NEARLY_A_CORE;
      const end = isAtItsEnd ? ', about all that it can take' : '';
      const cores = `${count(first.cores, 2)} cores`;
      return [
        `- ${load.name}: the ${first.role}, ${percent(first.share)} of all that is taken (${cores}${end})`,
      ];
    });
  if (lines.length === 0) return '';
  return `What bounds it is what takes the most of the processors, with ${most} connections:\n\n${lines.join('\n')}\n`;
};

export const documentThroughput = ({ cores, seconds, loads }: Throughput) => {
  const roles = [...new Set(loads.flatMap(({ processor }) => processor.map(({ role }) => role)))].filter(
    (role) => role !== IDLE,
  );
  const table = numbersTable(
    ['', 'Connections', 'A second', 'Median ms', '99 % within ms', ...roles.map((role) => `CPU ms, ${role}`)],
    loads.map((load) => [
      load.name,
      ...[count(load.connections), count(load.perSecond), count(load.medianMs, 1), count(load.p99Ms, 1)],
      ...roles.map((role) => msOf(load, role)),
    ]),
  );
  return `## A local run under load

What \`npm start\` starts, without the stage's limit of requests, on the same ${cores} cores as the program that sends. Connections are kept, and each
sends again as soon as it is answered: for ${count(seconds)} s a row, after a while that is not counted. Every answer is a 200, or
nothing would stand here. The gateway keeps the authorizer's answer, as on the platform. Each request at once has a process of the function for itself;
more connections are more processes, which take more of a processor until each has served some hundreds. On the platform, only
the functions are the same. *CPU* is what a request takes of each process.

${table}

${roles.length > 0 ? boundsInWords(loads) : 'This system does not tell which process took how much of the processors.\n'}`;
};
