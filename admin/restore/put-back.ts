import { explain, Failure } from '../cli/failure.ts';
import { watchInterruption } from '../cli/interruption.ts';
import { say, withProgress } from '../cli/terminal.ts';
import type { Work } from './compare-tables.ts';
import { passesOf } from './snapshot-parts.ts';
import { doneInWords } from './tally.ts';

/** What has not been looked at yet may be missing, too. */
const SO_FAR = 'Of what was compared so far:';
const AGAIN = 'Run the same command again to complete it: it puts back only what is missing.';

/** All of it, or throws a Failure that tells how much was written, and what to do then. */
export const putBack = async ({ table, source, newTally }: Work, overwrites: boolean) => {
  const tally = newTally();
  const interrupted = watchInterruption({
    onFirst: () => say('Ending, once what is on its way is written.'),
  });
  const { signal } = interrupted;
  const write = async (reach: (done: number) => void) => {
    for (const pass of passesOf(table)) {
      for await (const pairs of source.pairs(pass, signal)) {
        await source.put(tally.compare(pairs, overwrites), tally.onPut, signal);
        reach(tally.seen());
      }
      if (signal.aborted) return;
    }
  };
  try {
    await withProgress(`Restoring ${table}`, undefined, write);
  } catch (error) {
    throw new Failure(`${explain(error)}\n${SO_FAR} ${doneInWords(tally.counts)} ${AGAIN}`);
  } finally {
    interrupted.stopWatching();
  }
  if (signal.aborted) throw new Failure(`Ended early. ${SO_FAR} ${doneInWords(tally.counts)} ${AGAIN}`);
  return tally;
};
