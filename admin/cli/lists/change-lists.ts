import { basename } from 'node:path';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { readBytes } from '../../lists/files/decode-file.ts';
import { type ReadOptions, readRows } from '../../lists/files/read-rows.ts';
import { writeChanges } from '../../lists/history/write-changes.ts';
import { type List, planChanges } from '../../lists/plan/plan-changes.ts';
import {
  type ChangeOrigin,
  changeColumns,
  changeLines,
  countChanges,
  type RowChange,
} from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { countOf, formatCount } from '../../text/words.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { type Output, toTable } from '../terminal/output.ts';
import { withProgress } from '../terminal/terminal.ts';

const IMPORT_ADVICE = 'Run the same command again to write the rest.';

type ImportOptions = Where &
  ReadOptions & { file: string } & Partial<Record<'dryRun' | 'all' | 'replace' | 'yes', boolean | undefined>>;

export async function* importList(name: ListName, options: ImportOptions, output: Output) {
  const { file, dryRun, all = false, replace, yes } = options;
  const session = await openSession(options);
  const content = await readRows(await readBytes(file), name, options);
  const stored = await readWithProgress(session, name);
  const { changes, unchanged, notices } = await planChanges(name, stored, content, replace);
  yield* notices;
  const { added, changed, removed } = countChanges(changes);
  const describeCounts = (would = '') =>
    `${countOf(added, 'row')} ${would}added, ${formatCount(changed)} changed, ${formatCount(removed)} removed, ${formatCount(unchanged)} unchanged`;
  if (dryRun) {
    yield `${describeCounts('would be ')}. Nothing was written.`;
    yield* showChanges(name, changes, all, output);
    return;
  }
  if (removed > 0) await requireConfirmation(askRemoval(name, removed, stored), yes);
  await writeAll(session, name, changes, { kind: 'import', source: basename(file) }, IMPORT_ADVICE);
  yield `${describeCounts()}.`;
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

export async function* removeRows(
  name: ListName,
  where: Where,
  identifiers: readonly string[],
  isConfirmed: boolean | undefined,
) {
  const session = await openSession(where);
  const stored = await readWithProgress(session, name);
  const removed = new Set(identifiers);
  const missing = [...removed].filter((identifier) => !stored.has(identifier)).map(quote);
  // A person may have mistyped an identifier.
  if (missing.length > 0) throw new Failure(`Not in the list: ${missing.join(', ')}. Nothing was removed.`);
  await requireConfirmation(askRemoval(name, removed.size, stored), isConfirmed);
  const changes = [...removed].map(
    (identifier): RowChange => ({
      kind: 'removed',
      identifier,
      before: stored.get(identifier) ?? {},
      after: {},
    }),
  );
  await writeAll(session, name, changes, { kind: 'remove' }, REMOVAL_ADVICE);
  yield `${countOf(removed.size, 'row')} removed; the list has ${formatCount(stored.size - removed.size)} now.`;
  yield { record: { Removed: removed.size } };
}

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
  const { conflicts, summary } = await runInterruptible((signal) =>
    withProgress(`Writing ${tables[name].partitionKey}s`, changes.length, (onWritten) =>
      writeChanges(name, changes, { deployment, origin, signal, advice, onWritten }),
    ),
  );
  if (conflicts.length > 0) throw new Failure(summary);
};
