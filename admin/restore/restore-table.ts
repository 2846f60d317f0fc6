import { restorer } from '../../shared/store/restorer.ts';
import { confirmed } from '../ask.ts';
import type { Table } from '../deployment.ts';
import { explain } from '../explain.ts';
import { Failure, WrongUsage } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { printChanges } from '../lists/change-lines.ts';
import type { Session } from '../session.ts';
import { say, withProgress } from '../terminal.ts';
import { counted } from '../words.ts';
import { isList, refuseTooLongList } from './check-room.ts';
import { findTables } from './find-tables.ts';
import { showChanges, toChanges } from './list-rows.ts';
import { look, type Work } from './look.ts';
import { passesOf } from './snapshot-parts.ts';
import { createTally, doneInWords, findingsInWords, toRecord, uncarriedInWords } from './tally.ts';

const AGAIN = 'Run the same command again to complete it: it puts back only what is missing.';

type Options = {
  from: string;
  dryRun?: true | undefined;
  overwrite?: true | undefined;
  yes?: true | undefined;
};

export const restoreTable = async (session: Session, table: Table, options: Options) => {
  if (options.overwrite && !isList(table)) {
    throw new WrongUsage(`--overwrite is for the two lists: what is in ${table} is never changed.`);
  }
  const tables = await findTables(session, table, options.from);
  await refuseTooLongList(session, table, tables, options.overwrite === true);
  const work: Work = {
    table,
    source: restorer(session.deployment.dynamodb, tables),
    newTally: () => createTally(table, session.now),
  };
  if (options.dryRun) return tellFindings(session, work, options.overwrite === true);
  const overwrites = options.overwrite === true && (await isAgreed(session, work, options));
  const { counts } = await putBack(work, overwrites);
  const left = counts.differing - counts.overwritten;
  say(counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : doneInWords(counts));
  if (left > 0) say(differingInWords(table, left));
  await session.printRecord(toRecord(table, counts));
  if (counts.uncarried > 0) throw new Failure(uncarriedInWords(counts));
};

const tellFindings = async (session: Session, work: Work, overwrites: boolean) => {
  const { table } = work;
  const { counts, found } = await look(work);
  if (isList(table)) await printChanges(session, table, toChanges(table, found));
  say(`${findingsInWords(counts)}. Nothing was written.`);
  if (!overwrites && counts.differing > 0) say(differingInWords(table, counts.differing));
  if (counts.uncarried > 0) say(uncarriedInWords(counts));
  if (isList(table)) {
    // Two documents in one output could not be read by a program.
    if (session.format.kind !== 'table') return;
    await session.print('\n');
  }
  await session.printRecord(toRecord(table, counts));
};

/** Whether there is anything to overwrite, and that may be done. */
const isAgreed = async (session: Session, work: Work, { from, yes }: Options) => {
  const { table } = work;
  const { counts, found } = await look(work);
  if (counts.differing === 0) return false;
  if (!yes && isList(table)) {
    await showChanges(session, table, { ...toChanges(table, found), added: [] });
  }
  await confirmed(`Overwrite ${counted(counts.differing, 'row')} of ${table} with those of ${from}?`, yes);
  return true;
};

/** All of it, or throws a Failure that tells how much was written, and what to do then. */
const putBack = async ({ table, source, newTally }: Work, overwrites: boolean) => {
  const tally = newTally();
  const interrupted = interruption();
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
    throw new Failure(`${explain(error).message}\n${doneInWords(tally.counts)} ${AGAIN}`);
  } finally {
    interrupted.end();
  }
  if (signal.aborted) throw new Failure(`Ended early. ${doneInWords(tally.counts)} ${AGAIN}`);
  return tally;
};

const differingInWords = (table: Table, differing: number) =>
  isList(table)
    ? `${counted(differing, 'row differs', 'rows differ')} and ${differing === 1 ? 'stays' : 'stay'} as in the deployment; --overwrite brings those back, too.`
    : `${counted(differing, 'item differs', 'items differ')} and ${differing === 1 ? 'stays' : 'stay'} as in the deployment; nothing of the service changes these, so look who did.`;
