import { isList, type ListName, type TableName, tableNames } from '../../shared/tables.ts';
import { openSession, type Session } from '../deployment/session.ts';
import { writeRows } from '../formats/write-rows.ts';
import { sizeIssueAfter } from '../lists/history/replay.ts';
import { writeChanges } from '../lists/history/write-changes.ts';
import { changeColumns, changeLines, type RowChange } from '../lists/plan/row-change.ts';
import { readList } from '../lists/storage/read-list.ts';
import { sizeFailure } from '../lists/values/size-limits.ts';
import { compareTables, restoreItems } from '../restore/copy-items.ts';
import {
  type Counts,
  describeCompared,
  describeDone,
  describeUnwritable,
  toRecord,
} from '../restore/count-items.ts';
import { describeDiffering, prepareRestore, toChanges } from '../restore/prepare-restore.ts';
import { Failure, WrongUsage } from '../text/failure.ts';
import type { Format } from '../text/output.ts';
import { countOf } from '../text/words.ts';
import { howToUndo, requireAcceptance, review } from './lists/change-lists.ts';
import { requireConfirmation } from './terminal/ask.ts';
import { defineCommand, type Group } from './terminal/define-command.ts';
import { runInterruptible } from './terminal/interruption.ts';
import {
  type CommonValues,
  describeChoices,
  fileOptions,
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
  yes: flag('--yes', 'overwrite without asking; accepts no warning'),
  acceptWarnings: flag('--accept-warnings', 'for lists: write in spite of warnings'),
  cache: fileOptions.cache,
};

export const addRestore = (program: Group) =>
  defineCommand(program, {
    name: 'restore',
    description: 'copy the missing items from a restored table; existing items stay',
    options: OPTIONS,
    isForOperators: true,
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
  const { notices, restore } = await prepareRestore(session, table, { from, overwrites });
  yield* notices;
  const compare = () =>
    withProgress(`Comparing ${table}`, undefined, (onProgress) => compareTables(restore, onProgress));
  if (isList(table)) return yield* restoreRows(session, table, await compare(), options, output);
  if (dryRun) {
    const { counts } = await compare();
    yield* describeComparison(table, counts, overwrites);
    yield { record: toRecord(table, counts) };
    return;
  }
  const counts = await runInterruptible((signal) =>
    withProgress(`Restoring ${table}`, undefined, (onProgress) => restoreItems(restore, onProgress, signal)),
  );
  yield* describeOutcome(table, counts);
}

function* describeOutcome(table: TableName, counts: Counts, howToUndo: readonly string[] = []) {
  const kept = counts.differing - counts.overwritten;
  yield counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : describeDone(counts);
  if (kept > 0) yield describeDiffering(table, kept);
  yield* howToUndo;
  yield { record: toRecord(table, counts) };
  if (counts.unwritable > 0) throw new Failure(describeUnwritable(counts));
}

function* describeComparison(table: TableName, counts: Counts, overwrites: boolean) {
  yield `${describeCompared(counts)}. Nothing was written.`;
  if (!overwrites && counts.differing > 0) yield describeDiffering(table, counts.differing);
  if (counts.unwritable > 0) yield describeUnwritable(counts);
}

const ADVICE = 'Run the same command again to restore the rest.';

async function* restoreRows(
  session: Session,
  table: ListName,
  { counts: compared, found }: Awaited<ReturnType<typeof compareTables>>,
  { from, dryRun, overwrite = false, yes, acceptWarnings, cache }: Options,
  { format, isForPeople }: Output,
) {
  const changes = toChanges(table, found);
  const planned = { changes, unchanged: compared.same, notices: [], warnings: [] };
  const stored = await readList(session, table);
  const sizeIssue = sizeIssueAfter(table, stored, changes);
  const { warnings } = yield* review(session, table, stored, planned, cache);
  if (dryRun) {
    yield toChangeTable(format, table, changes);
    yield* describeComparison(table, compared, overwrite);
    if (sizeIssue) yield `${sizeIssue} So the restore will be refused.`;
    // A program can read only one document of JSON or CSV. The changes are this document.
    if (isForPeople) yield { record: toRecord(table, compared) };
    return;
  }
  if (sizeIssue) throw sizeFailure(sizeIssue);
  requireAcceptance(warnings, acceptWarnings);
  const overwritten = changes.filter(({ kind }) => kind === 'changed');
  if (overwritten.length > 0) {
    // A program gets only the counts on standard output.
    if (!yes)
      yield isForPeople ? toChangeTable(format, table, overwritten) : await toLines(table, overwritten);
    const question = `Overwrite ${countOf(overwritten.length, 'row')} of ${table} with the rows of ${from}?`;
    await requireConfirmation(question, yes);
  }
  const { deployment } = session;
  const origin = { kind: 'restore', source: from } as const;
  const { added, changed, conflicts, change } = await runInterruptible((signal) =>
    withProgress(`Restoring ${table}`, changes.length, (onWritten) =>
      writeChanges(table, changes, { deployment, origin, signal, advice: ADVICE, onWritten }),
    ),
  );
  const isOverwritten = new Set(overwritten.map(({ identifier }) => identifier));
  const appeared = conflicts.filter((identifier) => !isOverwritten.has(identifier)).length;
  const [missing, differing] = [compared.missing - appeared, compared.differing + appeared];
  const counts = { ...compared, missing, differing, restored: added, overwritten: changed };
  yield* describeOutcome(table, counts, howToUndo(table, change));
}

const toChangeTable = (format: Format, name: ListName, changes: readonly RowChange[]) =>
  toTable(changeColumns(name, format), changeLines(name, changes));

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
