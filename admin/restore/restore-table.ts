import type { TableName } from '../../shared/tables.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { Failure, WrongUsage } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { printChanges } from '../lists/change-lines.ts';
import { type TooLong, tooLong, tooLongInWords } from '../lists/response-size.ts';
import { tableCopier } from '../store/table-copier.ts';
import { excessSizeOf, isList } from './check-room.ts';
import { compareTables, type Work } from './compare-tables.ts';
import { findTables } from './find-tables.ts';
import { showChanges, toChanges } from './list-rows.ts';
import { putBack } from './put-back.ts';
import { createTally, doneInWords, findingsInWords, toRecord, uncarriedInWords } from './tally.ts';

type Options = {
  from: string;
  dryRun?: true | undefined;
  overwrite?: true | undefined;
  yes?: true | undefined;
};

export const restoreTable = async (session: Session, table: TableName, options: Options) => {
  refuseWrongUsage(table, options);
  const overwrite = options.overwrite === true;
  const tables = await findTables(session, table, options.from);
  const work: Work = {
    table,
    source: tableCopier(session.deployment.dynamodb, tables),
    newTally: () => createTally(table, session.now),
  };
  const lack = await excessSizeOf(session, table, tables, overwrite);
  if (options.dryRun) return tellFindings(session, work, { overwrite, lack });
  if (lack) throw tooLong(lack);
  const { counts } = await putBack(work, overwrite && (await isAgreed(session, work, options)));
  const left = counts.differing - counts.overwritten;
  say(counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : doneInWords(counts));
  if (left > 0) say(differingInWords(table, left));
  await session.printRecord(toRecord(table, counts));
  if (counts.uncarried > 0) throw new Failure(uncarriedInWords(counts));
};

const refuseWrongUsage = (table: TableName, { overwrite, yes }: Options) => {
  if (overwrite && !isList(table)) {
    throw new WrongUsage(`--overwrite is for the two lists: what is in ${table} is never changed.`);
  }
  if (yes && !overwrite) {
    throw new WrongUsage('--yes agrees to what --overwrite asks; what is missing is put back without it.');
  }
};

type Told = { overwrite: boolean; lack: TooLong | undefined };

/** Whatever would be refused is shown all the same: it is here that one looks first. */
const tellFindings = async (session: Session, work: Work, { overwrite, lack }: Told) => {
  const { table } = work;
  const { counts, found } = await compareTables(work);
  if (isList(table)) await printChanges(session, table, toChanges(table, found));
  say(`${findingsInWords(counts)}. Nothing was written.`);
  if (!overwrite && counts.differing > 0) say(differingInWords(table, counts.differing));
  if (counts.uncarried > 0) say(uncarriedInWords(counts));
  if (lack) say(`${tooLongInWords(lack)} So it will be refused.`);
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
  const { counts, found } = await compareTables(work);
  if (counts.differing === 0) return false;
  if (!yes && isList(table)) {
    await showChanges(session, table, { ...toChanges(table, found), added: [] });
  }
  await requireConfirmation(
    `Overwrite ${counted(counts.differing, 'row')} of ${table} with those of ${from}?`,
    yes,
  );
  return true;
};

const differingInWords = (table: TableName, differing: number) =>
  isList(table)
    ? `${counted(differing, 'row differs', 'rows differ')} and ${differing === 1 ? 'stays' : 'stay'} as in the deployment; --overwrite brings those back, too.`
    : `${counted(differing, 'item differs', 'items differ')} and ${differing === 1 ? 'stays' : 'stay'} as in the deployment; nothing of the service changes these, so look who did.`;
