import { type ListName, tables } from '../../../shared/tables.ts';
import { readBytes } from '../../lists/files/decode-file.ts';
import { readRows } from '../../lists/files/read-rows.ts';
import { type List, planChanges } from '../../lists/plan/plan-changes.ts';
import { changeColumns, changeLines, countChanges, type RowChange } from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { writeChanges } from '../../lists/storage/write-changes.ts';
import { Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { countOf, formatCount } from '../../text/words.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import type { CommandSession } from '../terminal/open-command.ts';
import { say, withProgress } from '../terminal/terminal.ts';

const IMPORT_ADVICE = 'Run the same command again to write the rest.';

type ImportOptions = Partial<Record<'dryRun' | 'all' | 'replace' | 'yes', true | undefined>>;

export const importList = async (
  session: CommandSession,
  name: ListName,
  file: string,
  options: ImportOptions,
) => {
  const content = await readRows(await readBytes(file), name, session.readOptions);
  const stored = await readWithProgress(session, name);
  const { changes, unchanged, notices } = await planChanges(name, stored, content, options.replace);
  for (const notice of notices) say(notice);
  const { added, changed, removed } = countChanges(changes);
  const describeCounts = (would = '') =>
    `${countOf(added, 'row')} ${would}added, ${formatCount(changed)} changed, ${formatCount(removed)} removed, ${formatCount(unchanged)} unchanged`;
  if (options.dryRun) {
    say(`${describeCounts('would be ')}. Nothing was written.`);
    await showChanges(session, name, changes, options.all === true);
    return;
  }
  if (removed > 0) await requireConfirmation(askRemoval(name, removed, stored), options.yes);
  await writeAll(session, name, changes, IMPORT_ADVICE);
  say(`${describeCounts()}.`);
  await session.printRecord({ Added: added, Changed: changed, Removed: removed, Unchanged: unchanged });
};

/** Without --all, a table for people has at most this many lines. A changed row has a line for each attribute. */
const MAX_SHOWN_LINES = 10;

const showChanges = async (
  { format, printRows }: CommandSession,
  name: ListName,
  changes: readonly RowChange[],
  showsAll: boolean,
) => {
  const lines = [...changeLines(name, changes)];
  const shownCount = showsAll || format.kind !== 'table' ? lines.length : MAX_SHOWN_LINES;
  await printRows(changeColumns(name, format), lines.slice(0, shownCount));
  const left = lines.length - shownCount;
  if (left > 0) say(`${countOf(left, 'line is', 'lines are')} not shown. --all shows all lines.`);
};

const REMOVAL_ADVICE = 'Run the command again with the rows that are still in the list.';

export const removeRows = async (
  session: CommandSession,
  name: ListName,
  identifiers: readonly string[],
  isConfirmed: boolean | undefined,
) => {
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
  await writeAll(session, name, changes, REMOVAL_ADVICE);
  say(
    `${countOf(removed.size, 'row')} removed; the list has ${formatCount(stored.size - removed.size)} now.`,
  );
  await session.printRecord({ Removed: removed.size });
};

const askRemoval = (name: ListName, removed: number, stored: List) =>
  `Remove ${formatCount(removed)} of the ${countOf(stored.size, tables[name].partitionKey)} in the list?`;

export const readWithProgress = (session: CommandSession, name: ListName) =>
  withProgress(`Reading ${name}`, undefined, (onProgress) => readList(session, name, onProgress));

const writeAll = async (
  { deployment }: CommandSession,
  name: ListName,
  changes: readonly RowChange[],
  advice: string,
) => {
  const { conflicts, summary } = await runInterruptible((signal) =>
    withProgress(`Writing ${tables[name].partitionKey}s`, changes.length, (onWritten) =>
      writeChanges(name, changes, { deployment, signal, advice, onWritten }),
    ),
  );
  if (conflicts.length > 0) throw new Failure(summary);
};
