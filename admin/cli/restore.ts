import { Argument, type Command } from '@commander-js/extra-typings';
import { isList, type ListName, type TableName, tableNames } from '../../shared/tables.ts';
import { writeRows } from '../formats/write-rows.ts';
import { changeColumns, changeLines, type RowChange } from '../lists/plan/row-change.ts';
import { sizeFailure } from '../lists/values/size-limits.ts';
import { compareTables, type Restore, restoreItems } from '../restore/copy-items.ts';
import { describeCompared, describeDone, describeUnwritable, toRecord } from '../restore/count-items.ts';
import { describeDiffering, prepareRestore, toChanges } from '../restore/prepare-restore.ts';
import { Failure, WrongUsage } from '../text/failure.ts';
import type { Format } from '../text/output.ts';
import { countOf } from '../text/words.ts';
import { examples } from './terminal/arguments.ts';
import { requireConfirmation } from './terminal/ask.ts';
import { runInterruptible } from './terminal/interruption.ts';
import { type CommandSession, openCommand } from './terminal/open-command.ts';
import { print, say, withProgress } from './terminal/terminal.ts';

export const addRestore = (program: Command) => {
  program
    .command('restore')
    .description('copy the missing items from a restored table; existing items stay')
    .addArgument(new Argument('<table>', 'the live table').choices(tableNames))
    .requiredOption('--from <name>', 'the restored table, in the same account and region')
    .option('--dry-run', 'show what is missing and write nothing')
    .option('--overwrite', 'for lists: also overwrite the rows that differ from the restored table')
    .option('--yes', 'overwrite without asking')
    .addHelpText(
      'after',
      examples(
        'restore MaterialCodes --from codes-of-monday --dry-run',
        'restore MaterialCodes --from codes-of-monday --overwrite',
        'restore BalanceSnapshots --from snapshots-of-monday',
      ),
    )
    .action(async (table, options, command) => {
      await restoreTable(await openCommand(command), table, options);
    });
};

type Options = {
  from: string;
  dryRun?: true | undefined;
  overwrite?: true | undefined;
  yes?: true | undefined;
};

const restoreTable = async (session: CommandSession, table: TableName, options: Options) => {
  if (options.overwrite && !isList(table)) {
    throw new WrongUsage(
      `--overwrite is for lists only. A restore never changes existing items of ${table}.`,
    );
  }
  const overwrites = options.overwrite === true;
  const prepared = await prepareRestore(session, table, { from: options.from, overwrites });
  for (const notice of prepared.notices) say(notice);
  if (options.dryRun) return showComparison(session, prepared);
  if (prepared.sizeIssue) throw sizeFailure(prepared.sizeIssue);
  const hasRowsToOverwrite = overwrites && (await confirmOverwrite(session, prepared.restore, options));
  const restore = { ...prepared.restore, overwrites: hasRowsToOverwrite };
  const counts = await runInterruptible((signal) =>
    withProgress(`Restoring ${table}`, undefined, (onProgress) => restoreItems(restore, onProgress, signal)),
  );
  const kept = counts.differing - counts.overwritten;
  say(counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : describeDone(counts));
  if (kept > 0) say(describeDiffering(table, kept));
  await session.printRecord(toRecord(table, counts));
  if (counts.unwritable > 0) throw new Failure(describeUnwritable(counts));
};

const compare = (restore: Restore) =>
  withProgress(`Comparing ${restore.table}`, undefined, (onProgress) => compareTables(restore, onProgress));

type PreparedRestore = Awaited<ReturnType<typeof prepareRestore>>;

const showComparison = async (session: CommandSession, { restore, sizeIssue }: PreparedRestore) => {
  const { table, overwrites } = restore;
  const { counts, found } = await compare(restore);
  if (isList(table)) await printChanges(session, table, toChanges(table, found));
  say(`${describeCompared(counts)}. Nothing was written.`);
  if (!overwrites && counts.differing > 0) say(describeDiffering(table, counts.differing));
  if (counts.unwritable > 0) say(describeUnwritable(counts));
  if (sizeIssue) say(`${sizeIssue} So the restore will be refused.`);
  if (isList(table)) {
    // A program can read only one document of JSON or CSV. The changes are this document.
    if (session.format.kind !== 'table') return;
    await print('\n');
  }
  await session.printRecord(toRecord(table, counts));
};

/** Returns whether there are rows to overwrite. Throws if the person does not confirm. */
const confirmOverwrite = async (session: CommandSession, restore: Restore, { from, yes }: Options) => {
  const { table } = restore;
  const { counts, found } = await compare(restore);
  if (counts.differing === 0) return false;
  if (!yes && isList(table)) {
    const changes = toChanges(table, found).filter(({ kind }) => kind === 'changed');
    // A program gets only the counts on standard output.
    await (session.format.kind === 'table'
      ? printChanges(session, table, changes)
      : sayChanges(table, changes));
  }
  await requireConfirmation(
    `Overwrite ${countOf(counts.differing, 'row')} of ${table} with the rows of ${from}?`,
    yes,
  );
  return true;
};

const printChanges = ({ format, printRows }: CommandSession, name: ListName, changes: readonly RowChange[]) =>
  printRows(changeColumns(name, format), changeLines(name, changes));

const sayChanges = (name: ListName, changes: readonly RowChange[]) => {
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  const sayLine = async (line: string | Uint8Array) => say(String(line).trimEnd());
  return writeRows(sayLine, format, changeColumns(name, format), changeLines(name, changes));
};
