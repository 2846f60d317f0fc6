import { basename } from 'node:path';
import { type ListName, tables } from '../../../shared/tables.ts';
import { requireRecords, type Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { readBytes } from '../../lists/files/decode-file.ts';
import { type ReadOptions, readRows } from '../../lists/files/read-rows.ts';
import { findChange } from '../../lists/history/find-change.ts';
import { planUndo } from '../../lists/history/plan-undo.ts';
import { writeChanges } from '../../lists/history/write-changes.ts';
import { type List, type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import {
  type ChangeCounts,
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
import { countOf, formatNumber } from '../../text/words.ts';
import { askNewestBatches } from '../stock/with-stock.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { type Output, toTable } from '../terminal/output.ts';
import { withProgress } from '../terminal/terminal.ts';

/** What a person has agreed to, and whether the balances may stay on this machine. */
type Consent = Partial<Record<'yes' | 'acceptWarnings' | 'cache', boolean | undefined>>;
type WriteOptions = Where & Partial<Record<'dryRun' | 'all', boolean | undefined>> & Consent;
type ImportOptions = WriteOptions & ReadOptions & { file: string; replace?: boolean | undefined };

export async function* importList(name: ListName, options: ImportOptions, output: Output) {
  const { file, replace } = options;
  const session = await openSession(options);
  const content = await readRows(await readBytes(file), name, options);
  const work: Work = {
    makePlan: (stored) => planChanges(name, stored, content, replace),
    origin: { kind: 'import', source: basename(file) },
    advice: 'Run the same command again to write the rest.',
  };
  yield* reviewAndWrite(session, name, work, options, output);
}

/** Takes back what a change has written and what nobody has changed since. */
export async function* undoChange(
  name: ListName,
  { change, ...options }: WriteOptions & { change: string },
  output: Output,
) {
  const session = await openSession(options);
  const work: Work = {
    makePlan: async (stored) =>
      planUndo(name, stored, (await findChange(session.deployment, name, change, stored)).changes),
    origin: { kind: 'undo', undoes: change },
    advice: 'Run the same command again to take back the rest.',
  };
  yield* reviewAndWrite(session, name, work, options, output);
}

export async function* removeRows(
  name: ListName,
  { identifiers, ...options }: WriteOptions & { identifiers: readonly string[] },
  output: Output,
) {
  const makePlan = (stored: List): ListPlan => {
    const missing = [...new Set(identifiers)].filter((identifier) => !stored.has(identifier)).map(quote);
    // A person may have mistyped an identifier.
    if (missing.length > 0) throw new Failure(`Not in the list: ${missing.join(', ')}. Nothing was removed.`);
    const changes = [...new Set(identifiers)].map((identifier) => {
      const before = stored.get(identifier) ?? {};
      return { kind: 'removed', identifier, before, after: {} } as const;
    });
    return { changes, unchanged: 0, notices: [], warnings: [] };
  };
  const advice = 'Run the command again with the rows that are still in the list.';
  const session = await openSession(options);
  yield* reviewAndWrite(session, name, { makePlan, origin: { kind: 'remove' }, advice }, options, output);
}

type Work = {
  makePlan: (stored: List) => ListPlan | Promise<ListPlan>;
  origin: ChangeOrigin;
  advice: string;
};

async function* reviewAndWrite(
  session: Session,
  name: ListName,
  { makePlan, origin, advice }: Work,
  { dryRun, all = false, yes, acceptWarnings, cache }: WriteOptions,
  output: Output,
) {
  const { partitionKey: key } = tables[name];
  requireRecords(session.deployment);
  const stored = await readWithProgress(session, name);
  const { changes, unchanged, warnings } = yield* review(
    session,
    name,
    stored,
    await makePlan(stored),
    cache,
  );
  const counts = { ...countChanges(changes), unchanged };
  if (dryRun) {
    yield `${describeCounts(counts, 'would be ')}. Nothing was written.`;
    yield* showChanges(name, changes, all, output);
    return;
  }
  requireAcceptance(warnings, acceptWarnings);
  const { added: Added, changed: Changed, removed: Removed } = counts;
  const question = `Remove ${formatNumber(Removed)} of the ${countOf(stored.size, key)} in the list?`;
  if (Removed > 0) await requireConfirmation(question, yes);
  const { deployment } = session;
  const { conflicts, summary, change } = await runInterruptible((signal) =>
    withProgress(`Writing ${key}s`, changes.length, (onWritten) =>
      writeChanges(name, changes, { deployment, origin, signal, advice, onWritten }),
    ),
  );
  if (conflicts.length > 0) throw new Failure(summary);
  if (origin.kind === 'remove')
    yield `${countOf(Removed, 'row')} removed; the list has ${formatNumber(stored.size - Removed)} now.`;
  else yield `${describeCounts(counts)}.`;
  yield* howToUndo(name, change);
  const Renamed = origin.kind === 'undo' ? { Renamed: counts.renamed } : {};
  yield {
    record:
      origin.kind === 'remove' ? { Removed } : { Added, Changed, ...Renamed, Removed, Unchanged: unchanged },
  };
}

export async function* review(
  session: Session,
  name: ListName,
  stored: List,
  planned: ListPlan,
  cache: boolean | undefined,
) {
  const plan = await reviewPlan(name, stored, planned, askStock(session, cache));
  yield* plan.notices;
  for (const warning of plan.warnings) yield `Warning: ${withoutMarks(warning)}`;
  return plan;
}

export const requireAcceptance = ({ length }: ListPlan['warnings'], isAccepted = false) => {
  if (length === 0 || isAccepted) return;
  throw new Failure(
    `Nothing was written because of ${countOf(length, 'warning')}. If the changes are right, run the command again with --accept-warnings.`,
  );
};

export const howToUndo = (name: ListName, change: string | undefined) =>
  change === undefined ? [] : [`To take it back: ${tables[name].list.command} undo ${change}`];

type Counts = ChangeCounts & { unchanged: number };

const describeCounts = ({ added, ...others }: Counts, would = '') => {
  const shown = Object.entries(others).filter(([kind, count]) => kind !== 'renamed' || count > 0);
  const words = shown.map(([kind, count]) => `${formatNumber(count)} ${kind}`);
  return [`${countOf(added, 'row')} ${would}added`, ...words].join(', ');
};

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

export const readWithProgress = (session: Session, name: ListName) =>
  withProgress(`Reading ${name}`, undefined, (onProgress) => readList(session, name, onProgress));
