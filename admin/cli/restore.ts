import { isList, type ListName, tableNames } from '../../shared/tables.ts';
import { openSession } from '../deployment/session.ts';
import { writeRows } from '../formats/write-rows.ts';
import { changeColumns, changeLines, type RowChange } from '../lists/plan/row-change.ts';
import { sizeFailure } from '../lists/values/size-limits.ts';
import { compareTables, type Restore, restoreItems } from '../restore/copy-items.ts';
import { describeCompared, describeDone, describeUnwritable, toRecord } from '../restore/count-items.ts';
import { describeDiffering, prepareRestore, toChanges } from '../restore/prepare-restore.ts';
import { restoreList } from '../restore/restore-list.ts';
import { Failure, WrongUsage } from '../text/failure.ts';
import type { Format } from '../text/output.ts';
import { countOf } from '../text/words.ts';
import { requireConfirmation } from './terminal/ask.ts';
import { defineCommand, type Group } from './terminal/define-command.ts';
import { runInterruptible } from './terminal/interruption.ts';
import {
  type CommonValues,
  describeChoices,
  flag,
  input,
  oneOf,
  requiredText,
  type Values,
} from './terminal/options.ts';
import { type Output, toTable } from './terminal/output.ts';
import { withProgress } from './terminal/terminal.ts';

const OPTIONS = {
  table: input('<table>', `the live table${describeChoices(tableNames)}`, oneOf(tableNames)),
  from: requiredText('--from <name>', 'the restored table, in the same account and region'),
  dryRun: flag('--dry-run', 'show what is missing and write nothing'),
  overwrite: flag('--overwrite', 'for lists: also overwrite the rows that differ from the restored table'),
  yes: flag('--yes', 'overwrite without asking'),
};

export const addRestore = (program: Group) =>
  defineCommand(program, {
    name: 'restore',
    description: 'copy the missing items from a restored table; existing items stay',
    options: OPTIONS,
    examples: [
      'restore MaterialCodes --from codes-of-monday --dry-run',
      'restore MaterialCodes --from codes-of-monday --overwrite',
      'restore BalanceSnapshots --from snapshots-of-monday',
    ],
    run: (options, output) => restoreTable(options, output),
  });

type Options = CommonValues & Values<typeof OPTIONS>;

async function* restoreTable(options: Options, output: Output) {
  const { table, from, dryRun, overwrite: overwrites = false } = options;
  if (overwrites && !isList(table)) {
    throw new WrongUsage(
      `--overwrite is for lists only. A restore never changes existing items of ${table}.`,
    );
  }
  const session = await openSession(options);
  const prepared = await prepareRestore(session, table, { from, overwrites });
  yield* prepared.notices;
  if (dryRun) return yield* showComparison(prepared, output);
  if (prepared.sizeIssue) throw sizeFailure(prepared.sizeIssue);
  const hasRowsToOverwrite = overwrites && (yield* confirmOverwrite(prepared.restore, options, output));
  const restore = { ...prepared.restore, overwrites: hasRowsToOverwrite };
  const counts = await runInterruptible((signal) =>
    withProgress(`Restoring ${table}`, undefined, (onProgress) =>
      isList(table)
        ? restoreList(session.deployment, { ...restore, table }, from, onProgress, signal)
        : restoreItems(restore, onProgress, signal),
    ),
  );
  const kept = counts.differing - counts.overwritten;
  yield counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : describeDone(counts);
  if (kept > 0) yield describeDiffering(table, kept);
  yield { record: toRecord(table, counts) };
  if (counts.unwritable > 0) throw new Failure(describeUnwritable(counts));
}

const compare = (restore: Restore) =>
  withProgress(`Comparing ${restore.table}`, undefined, (onProgress) => compareTables(restore, onProgress));

type PreparedRestore = Awaited<ReturnType<typeof prepareRestore>>;

async function* showComparison({ restore, sizeIssue }: PreparedRestore, { format, isForPeople }: Output) {
  const { table, overwrites } = restore;
  const { counts, found } = await compare(restore);
  if (isList(table)) yield toChangeTable(format, table, toChanges(table, found));
  yield `${describeCompared(counts)}. Nothing was written.`;
  if (!overwrites && counts.differing > 0) yield describeDiffering(table, counts.differing);
  if (counts.unwritable > 0) yield describeUnwritable(counts);
  if (sizeIssue) yield `${sizeIssue} So the restore will be refused.`;
  // A program can read only one document of JSON or CSV. The changes of a list are this document.
  if (isForPeople || !isList(table)) yield { record: toRecord(table, counts) };
}

/** Returns whether there are rows to overwrite. Throws if the person does not confirm. */
async function* confirmOverwrite(restore: Restore, { from, yes }: Options, { format, isForPeople }: Output) {
  const { table } = restore;
  const { counts, found } = await compare(restore);
  if (counts.differing === 0) return false;
  if (!yes && isList(table)) {
    const changes = toChanges(table, found).filter(({ kind }) => kind === 'changed');
    // A program gets only the counts on standard output.
    yield isForPeople ? toChangeTable(format, table, changes) : await toLines(table, changes);
  }
  await requireConfirmation(
    `Overwrite ${countOf(counts.differing, 'row')} of ${table} with the rows of ${from}?`,
    yes,
  );
  return true;
}

const toChangeTable = (format: Format, name: ListName, changes: readonly RowChange[]) =>
  toTable(changeColumns(name, format), changeLines(name, changes));

/** The table of the changes as a text for standard error. */
const toLines = async (name: ListName, changes: readonly RowChange[]) => {
  const format: Format = { kind: 'table', width: process.stderr.columns || undefined };
  const { columns, rows } = toChangeTable(format, name, changes);
  let lines = '';
  const append = async (piece: string | Uint8Array) => {
    lines += piece;
  };
  await writeRows(append, format, columns, rows);
  return lines.trimEnd();
};
