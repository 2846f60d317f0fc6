import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { MAX_FUNCTION_ANSWER_BYTES } from '../../../shared/schemas/limits.ts';
import { count, numbersTable } from '../../harness/markdown.ts';
import { itemBytes } from '../../harness/rules.ts';
import type { Run } from '../../harness/runner.ts';
import { rounded, spreadOf } from '../../harness/statistics.ts';
import { Spread, told } from '../spread.ts';
import { LIST_EVENT, type ListsSetup, statusOf } from './setup.ts';
import type { shortRow } from './table.ts';

/** What becomes of a list that has outgrown an answer. */

const Outgrown = v.strictObject({
  name: v.string(),
  rows: v.number(),
  tableBytes: v.number(),
  bytesRead: v.number(),
  calls: v.number(),
  status: v.number(),
  code: v.string(),
  error: v.string(),
  wallMs: Spread,
  peakMb: v.number(),
});
export const Limit = v.array(Outgrown);
type Outgrown = v.InferOutput<typeof Outgrown>;

const RUNS = 5;
/** Calls that were under way when it gave up are charged for, too. */
const UNTIL_ALL_ARE_COUNTED_MS = 500;

const LogLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ code: v.string(), error: v.object({ message: v.string() }) }),
);

const readOf = async ({ start, recorder }: ListsSetup, table: string) => {
  const process = await start(table, recorder.endpoint);
  recorder.take();
  await process.serve([LIST_EVENT]);
  await sleep(UNTIL_ALL_ARE_COUNTED_MS);
  await process.stop();
  const calls = recorder.take();
  return { calls: calls.length, bytesRead: calls.reduce((sum, { bytes }) => sum + bytes, 0) };
};

type Table = { name: string; table: string; rows: number; rowOf: typeof shortRow };

export const measureOutgrown = async (
  setup: ListsSetup,
  { name, table, rows, rowOf }: Table,
): Promise<Outgrown> => {
  const process = await setup.start(table);
  const runs: Run[] = [];
  let peakMb = 0;
  for (let time = 0; time < RUNS; time += 1) {
    const served = await process.serve([LIST_EVENT]);
    runs.push(...served.runs);
    peakMb = served.peakMb;
  }
  await process.stop();
  const last = runs.at(-1);
  const { code, error } = v.parse(LogLine, last?.log.at(-1));
  return {
    name,
    rows,
    tableBytes: rows * itemBytes(rowOf(0)),
    ...(await readOf(setup, table)),
    status: statusOf(last?.answer ?? '{}'),
    code,
    error: error.message,
    wallMs: spreadOf(runs.map(({ wallMs }) => wallMs)),
    peakMb: rounded(peakMb, 0),
  };
};

const MB = 1_048_576;

export const documentLimit = (tables: readonly Outgrown[], memoryMb: number) => {
  const table = numbersTable(
    ['Table', 'Rows', 'MB', 'MB read', 'Calls', 'Status', 'ms until refused', 'Peak MB'],
    tables.map(({ name, rows, tableBytes, bytesRead, calls, status, wallMs, peakMb }) => [
      name,
      count(rows),
      count(tableBytes / MB, 1),
      count(bytesRead / MB, 1),
      count(calls),
      String(status),
      told(wallMs, 0),
      count(peakMb),
    ]),
  );
  const lines = tables.map(({ name, code, error }) => `- ${name}: \`${code}\`, "${error}"`);
  const stopped = tables.filter(({ bytesRead, tableBytes }) => bytesRead < tableBytes * 0.99);
  const inWords = stopped.map(({ name }) => `The one ${name} is not read to its end.`);
  return `An answer carries ${count(MAX_FUNCTION_ANSWER_BYTES)} bytes. A list that has grown past that without the import is a 500 with a line in the log that says so:

${table}

${lines.join('\n')}

${inWords.join(' ')} The function has ${count(memoryMb)} MB.
`;
};
