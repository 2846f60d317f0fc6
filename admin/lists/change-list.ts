import { type CatalogName, tables } from '../../shared/tables.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { Failure } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { openFile } from '../import/decode-file.ts';
import { quote } from '../import/faults.ts';
import { readRows } from '../import/read-rows.ts';
import { warnOfLostNumbers } from '../import/warn-of-lost-numbers.ts';
import { planImport, type RowChange } from './plan-import.ts';
import { printChanges } from './print-changes.ts';
import { type List, readList } from './read-list.ts';
import { writeChanges } from './write-changes.ts';

const IMPORT_ADVICE = 'Run the same command again to write the rest.';

type ImportOptions = Partial<Record<'dryRun' | 'all' | 'replace' | 'yes', true | undefined>>;

/** A dry run without --all shows at most this many changes. */
const MAX_SHOWN_CHANGES = 10;

export const importList = async (
  session: Session,
  name: CatalogName,
  file: string,
  options: ImportOptions,
) => {
  const rows = await readRows(openFile(file), name, { notice: say, decimal: session.decimal });
  const stored = await readList(session, name);
  const { changes, unchanged } = planImport(name, { stored, file: rows }, options.replace === true);
  for (const warning of warnOfLostNumbers(changes, rows)) say(warning);
  const count = (wanted: RowChange['kind']) => changes.filter(({ kind }) => kind === wanted).length;
  const [added, changed, removed] = [count('added'), count('changed'), count('removed')];
  const describeCounts = (would = '') =>
    `${counted(added, 'row')} ${would}added, ${grouped(changed)} changed, ${grouped(removed)} removed, ${grouped(unchanged)} unchanged`;
  if (options.dryRun) {
    say(`${describeCounts('would be ')}. Nothing was written.`);
    const most = options.all || session.format.kind !== 'table' ? undefined : MAX_SHOWN_CHANGES;
    const left = await printChanges(session, name, changes, most);
    if (left > 0) say(`${counted(left, 'change is', 'changes are')} not shown; --all shows all.`);
    return;
  }
  if (removed > 0) await requireConfirmation(askRemoval(name, removed, stored), options.yes);
  await writeChanges(session, name, changes, IMPORT_ADVICE);
  say(`${describeCounts()}.`);
  await session.printRecord({ Added: added, Changed: changed, Removed: removed, Unchanged: unchanged });
};

const REMOVAL_ADVICE = 'Run the command again with the rows that are still in the list.';

export const removeRows = async (
  session: Session,
  name: CatalogName,
  identifiers: readonly string[],
  isConfirmed: boolean | undefined,
) => {
  const stored = await readList(session, name);
  const changes = findRows(stored, identifiers);
  const count = changes.length;
  await requireConfirmation(askRemoval(name, count, stored), isConfirmed);
  await writeChanges(session, name, changes, REMOVAL_ADVICE);
  say(`${counted(count, 'row')} removed; the list has ${grouped(stored.size - count)} now.`);
  await session.printRecord({ Removed: count });
};

const askRemoval = (name: CatalogName, removed: number, stored: List) =>
  `Remove ${grouped(removed)} of the ${counted(stored.size, tables[name].partitionKey)} in the list?`;

/** Throws if an identifier is not in the list, because it may be mistyped. */
const findRows = (stored: List, identifiers: readonly string[]): RowChange[] => {
  const unique = [...new Set(identifiers)];
  const missing = unique.filter((identifier) => !stored.has(identifier)).map(quote);
  if (missing.length > 0) {
    throw new Failure(`Not in the list: ${missing.join(', ')}. Nothing was removed.`);
  }
  return unique.map((identifier) => {
    const before = stored.get(identifier) ?? {};
    return { kind: 'removed', identifier, before, after: {} };
  });
};
