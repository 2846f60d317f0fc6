import * as v from 'valibot';
import { MAX_FUNCTION_ANSWER_BYTES } from '../../../shared/schemas/limits.ts';
import { count, numbersTable, percent } from '../../harness/markdown.ts';
import type { FunctionProcess, Run } from '../../harness/runner.ts';
import { rounded, spreadOf } from '../../harness/statistics.ts';
import { Spread, told } from '../spread.ts';
import { LIST_EVENT, type ListsSetup, statusOf } from './setup.ts';

/** How a list's answer grows with its rows. */

const Size = v.strictObject({
  rows: v.number(),
  wallMs: Spread,
  cpuMs: Spread,
  peakMb: v.number(),
  calls: v.number(),
  readUnits: v.number(),
  answerBytes: v.number(),
});
export const Growth = v.array(Size);
type Size = v.InferOutput<typeof Size>;

const WARM_UPS = 3;
const RUNS = 9;

/** One event at a time, so that no answer lies in the process while the next is made. */
const serveInTurn = async (process: FunctionProcess, times: number) => {
  const runs: Run[] = [];
  let peakMb = 0;
  for (let time = 0; time < times; time += 1) {
    const served = await process.serve([LIST_EVENT]);
    runs.push(...served.runs);
    peakMb = served.peakMb;
  }
  return { runs, peakMb };
};

const chargeOf = async ({ start, recorder }: ListsSetup, table: string) => {
  const process = await start(table, recorder.endpoint);
  recorder.take();
  await process.serve([LIST_EVENT]);
  await process.stop();
  const calls = recorder.take();
  return { calls: calls.length, readUnits: calls.reduce((sum, { units }) => sum + units, 0) };
};

export const measureSize = async (setup: ListsSetup, table: string, rows: number): Promise<Size> => {
  const process = await setup.start(table);
  const { runs, peakMb } = await serveInTurn(process, WARM_UPS + RUNS);
  await process.stop();
  const [first] = runs;
  const answer = first?.answer ?? '{}';
  if (statusOf(answer) !== 200) throw new Error(`A list of ${rows} was answered with ${statusOf(answer)}.`);
  const warm = runs.slice(WARM_UPS);
  return {
    rows,
    wallMs: spreadOf(warm.map(({ wallMs }) => wallMs)),
    cpuMs: spreadOf(warm.map(({ cpuMs }) => cpuMs)),
    peakMb: rounded(peakMb, 0),
    ...(await chargeOf(setup, table)),
    answerBytes: Buffer.byteLength(answer),
  };
};

const MB = 1_000_000;

export const documentGrowth = (sizes: readonly Size[], memoryMb: number) => {
  const table = numbersTable(
    ['Codes', 'Elapsed, ms', 'CPU, ms', 'Peak MB', 'Calls', 'Read units', 'Answer, MB', 'Of the limit'],
    sizes.map(({ rows, wallMs, cpuMs, peakMb, calls, readUnits, answerBytes }) => [
      count(rows),
      told(wallMs, 0),
      told(cpuMs, 0),
      count(peakMb),
      count(calls),
      count(readUnits),
      count(answerBytes / MB, 2),
      percent(answerBytes / MAX_FUNCTION_ANSWER_BYTES),
    ]),
  );
  const most = Math.max(...sizes.map(({ peakMb }) => peakMb));
  return `\`GET material-codes\`, rows of a 16-character code and a unit, each size by a process of its own that has served some. The elapsed time is
with the engine's own on the same machine. The peak is the most memory that the process ever took, what Node itself takes included: at most
${count(most)} MB of the ${count(memoryMb)} MB that the function has. The limit is the ${count(MAX_FUNCTION_ANSWER_BYTES)} bytes that the platform takes of a function as its
answer, in which the list stands as a string, with a backslash before each of its quotation marks. Calls and read units are those of the first
list that a process reads: where it takes more than a page, the first page is read twice.

${table}
`;
};
