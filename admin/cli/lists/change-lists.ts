import { basename } from 'node:path';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { readBytes } from '../../lists/files/decode-file.ts';
import { type ReadOptions, readRows } from '../../lists/files/read-rows.ts';
import { findChange } from '../../lists/history/find-change.ts';
import { planUndo } from '../../lists/history/plan-undo.ts';
import { writeChanges } from '../../lists/history/write-changes.ts';
import { type List, type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import {
  type ChangeOrigin,
  changeColumns,
  changeLines,
  countChanges,
  type RowChange,
} from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { findUses } from '../../review/find-uses.ts';
import { type AskUses, reviewPlan } from '../../review/review-plan.ts';
import { explain, Failure } from '../../text/failure.ts';
import { withoutMarks } from '../../text/marked.ts';
import { quote } from '../../text/quote.ts';
import { countOf, formatCount } from '../../text/words.ts';
import { askNewestBatches } from '../stock/with-stock.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { type Output, toTable } from '../terminal/output.ts';
import { withProgress } from '../terminal/terminal.ts';

const IMPORT_ADVICE = 'Run the same command again to write the rest.';

/** What a person has agreed to, and whether the balances may stay on this machine. */
type Consent = Partial<Record<'yes' | 'acceptWarnings' | 'cache', boolean | undefined>>;
type WriteOptions = Partial<Record<'dryRun' | 'all', boolean | undefined>> & Consent;
type ImportOptions = Where & ReadOptions & WriteOptions & { file: string; replace?: boolean | undefined };

export async function* importList(name: ListName, options: ImportOptions, output: Output) {
  const { file, replace } = options;
  const session = await openSession(options);
  const content = await readRows(await readBytes(file), name, options);
  const stored = await readWithProgress(session, name);
  const plan = await planChanges(name, stored, content, replace);
  const origin = { kind: 'import', source: basename(file) } as const;
  yield* reviewAndWrite({ session, name, stored, plan, origin, advice: IMPORT_ADVICE }, options, output);
}

const UNDO_ADVICE = 'Run the same command again to take back the rest.';

type UndoOptions = Where & WriteOptions & { change: string };

/** Takes back what a change has written and what nobody has changed since. */
export async function* undoChange(name: ListName, options: UndoOptions, output: Output) {
  const session = await openSession(options);
  const stored = await readWithProgress(session, name);
  const { head, changes } = await findChange(session.deployment, name, options.change, stored);
  const plan = planUndo(name, stored, changes);
  const origin = { kind: 'undo', undoes: head.Id } as const;
  yield* reviewAndWrite({ session, name, stored, plan, origin, advice: UNDO_ADVICE }, options, output);
}

type PlannedWrite = {
  session: Session;
  name: ListName;
  stored: List;
  plan: ListPlan;
  origin: ChangeOrigin;
  advice: string;
};

/** Shows what a plan would write, or asks where needed and writes it. */
async function* reviewAndWrite(
  { session, name, stored, plan: planned, origin, advice }: PlannedWrite,
  { dryRun, all = false, yes, acceptWarnings, cache }: WriteOptions,
  output: Output,
) {
  const plan = await reviewPlan(name, stored, planned, askStock(session, cache));
  const { changes, unchanged } = plan;
  yield* describeReview(plan);
  const { added, changed, renamed, removed } = countChanges(changes);
  const describeCounts = (would = '') =>
    [
      `${countOf(added, 'row')} ${would}added`,
      `${formatCount(changed)} changed`,
      ...(renamed > 0 ? [`${formatCount(renamed)} renamed`] : []),
      `${formatCount(removed)} removed`,
      `${formatCount(unchanged)} unchanged`,
    ].join(', ');
  if (dryRun) {
    yield `${describeCounts('would be ')}. Nothing was written.`;
    yield* showChanges(name, changes, all, output);
    return;
  }
  requireAcceptance(plan, acceptWarnings);
  if (removed > 0) await requireConfirmation(askRemoval(name, removed, stored), yes);
  const { change } = await writeAll(session, name, changes, origin, advice);
  yield `${describeCounts()}.`;
  yield* describeUndo(name, change);
  yield { record: { Added: added, Changed: changed, Removed: removed, Unchanged: unchanged } };
}

/** Without --all, a table for people has at most this many lines. A changed row has a line for each attribute. */
const MAX_SHOWN_LINES = 10;

function* showChanges(
  name: ListName,
  changes: readonly RowChange[],
  showsAll: boolean,
  { format, isForPeople }: Output,
) {
  const lines = [...changeLines(name, changes)];
  const shownCount = showsAll || !isForPeople ? lines.length : MAX_SHOWN_LINES;
  yield toTable(changeColumns(name, format), lines.slice(0, shownCount));
  const left = lines.length - shownCount;
  if (left > 0) yield `${countOf(left, 'line is', 'lines are')} not shown. --all shows all lines.`;
}

const REMOVAL_ADVICE = 'Run the command again with the rows that are still in the list.';

type RemoveOptions = Where & { identifiers: readonly string[] } & Consent;

export async function* removeRows(name: ListName, { identifiers, ...options }: RemoveOptions) {
  const session = await openSession(options);
  const stored = await readWithProgress(session, name);
  const removed = new Set(identifiers);
  const missing = [...removed].filter((identifier) => !stored.has(identifier)).map(quote);
  // A person may have mistyped an identifier.
  if (missing.length > 0) throw new Failure(`Not in the list: ${missing.join(', ')}. Nothing was removed.`);
  const changes = [...removed].map(
    (identifier): RowChange => ({
      kind: 'removed',
      identifier,
      before: stored.get(identifier) ?? {},
      after: {},
    }),
  );
  const planned = { changes, unchanged: 0, notices: [], warnings: [] };
  const plan = await reviewPlan(name, stored, planned, askStock(session, options.cache));
  yield* describeReview(plan);
  requireAcceptance(plan, options.acceptWarnings);
  await requireConfirmation(askRemoval(name, removed.size, stored), options.yes);
  const { change } = await writeAll(session, name, changes, { kind: 'remove' }, REMOVAL_ADVICE);
  yield `${countOf(removed.size, 'row')} removed; the list has ${formatCount(stored.size - removed.size)} now.`;
  yield* describeUndo(name, change);
  yield { record: { Removed: removed.size } };
}

const describeUndo = (name: ListName, change: string | undefined) =>
  change === undefined ? [] : [`To take it back: ${tables[name].list.command} undo ${change}`];

/** Asks the newest batches how balances use rows. People who may edit lists may lack the permission to read balances. */
const askStock =
  (session: Session, hasCache: boolean | undefined): AskUses =>
  async (question) => {
    try {
      return await askNewestBatches(session, hasCache, (db) => findUses(db, question));
    } catch (error) {
      if (error instanceof Error && error.name === 'AccessDeniedException')
        return { failure: explain(error) };
      throw error;
    }
  };

const describeReview = ({ notices, warnings }: ListPlan) => [
  ...notices,
  ...warnings.map((warning) => `Warning: ${withoutMarks(warning)}`),
];

const requireAcceptance = ({ warnings: { length } }: ListPlan, isAccepted = false) => {
  if (length === 0 || isAccepted) return;
  throw new Failure(
    `Nothing was written because of ${countOf(length, 'warning')}. If the changes are right, run the command again with --accept-warnings.`,
  );
};

const askRemoval = (name: ListName, removed: number, stored: List) =>
  `Remove ${formatCount(removed)} of the ${countOf(stored.size, tables[name].partitionKey)} in the list?`;

export const readWithProgress = (session: Session, name: ListName) =>
  withProgress(`Reading ${name}`, undefined, (onProgress) => readList(session, name, onProgress));

const writeAll = async (
  { deployment }: Session,
  name: ListName,
  changes: readonly RowChange[],
  origin: ChangeOrigin,
  advice: string,
) => {
  const { conflicts, summary, change } = await runInterruptible((signal) =>
    withProgress(`Writing ${tables[name].partitionKey}s`, changes.length, (onWritten) =>
      writeChanges(name, changes, { deployment, origin, signal, advice, onWritten }),
    ),
  );
  if (conflicts.length > 0) throw new Failure(summary);
  return { change };
};
