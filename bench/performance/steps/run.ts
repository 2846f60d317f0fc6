import { toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { batchOf } from '../../../test/support/batches.ts';
import { rowOf } from '../../harness/events.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { convert, head, list, OURS, parse, send, validate } from './ways.ts';

/*
 * Takes a batch of so many entries, or a list of so many rows, through each step, in every way in turn, so many times over, and puts out what
 * each time took, in milliseconds: node run.ts ENTRIES ROUNDS REPEATS. The first third is not counted.
 */

const [entries = 1, rounds = 1, repeats = 1] = process.argv.slice(2).map(Number);
const WARM_UP_SHARE = 1 / 3;

const rows = Array.from({ length: entries }, (_, index) => rowOf('get-material-codes', index));
const text = JSON.stringify(batchOf(entries));
const times: Record<string, Record<string, number[]>> = {};

/** Garbage that a way leaves is not for the next one to clear away. */
const settle = () => globalThis.gc?.();

const msOf = async (run: () => unknown) => {
  settle();
  const started = process.hrtime.bigint();
  for (let repeat = 0; repeat < repeats; repeat += 1) await run();
  return Number(process.hrtime.bigint() - started) / 1e6 / repeats;
};

const inEveryWay = async <T>(
  step: string,
  ways: Record<string, (input: T) => unknown>,
  round: number,
  input: T,
) => {
  const taken = times[step] ?? Object.fromEntries(Object.keys(ways).map((way) => [way, noneYet()]));
  times[step] = taken;
  for (const [way, run] of inTurn(Object.entries(ways))) {
    const ms = await msOf(() => run(input));
    if (round >= rounds * WARM_UP_SHARE) taken[way]?.push(ms);
  }
};

const noneYet = (): number[] => [];

for (let round = 0; round < rounds; round += 1) {
  const body: unknown = JSON.parse(text);
  const batch = validate[OURS](body);
  if (!batch) throw new Error('The batch is not valid.');
  const items = toSnapshotItems({ ...head, entries: batch.MaterialCodes });
  await inEveryWay('parse', parse, round, text);
  await inEveryWay('validate', validate, round, body);
  await inEveryWay('convert', convert, round, batch);
  await inEveryWay('send', send, round, items);
  await inEveryWay('list', list, round, rows);
}
process.stdout.write(JSON.stringify(times));
