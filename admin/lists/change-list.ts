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
import { type ImportPlan, type ListChanges, planImport, type Removed } from './plan-import.ts';
import { printChanges } from './print-changes.ts';
import { type List, readList } from './read-list.ts';
import { writeChanges } from './write-changes.ts';

const IMPORT_ADVICE = 'Run the same command again to complete it: it writes only what is missing.';

type ImportOptions = { dryRun?: true | undefined; replace?: true | undefined; yes?: true | undefined };

export const importList = async (
  session: Session,
  name: CatalogName,
  file: string,
  options: ImportOptions,
) => {
  const rows = await readRows(openFile(file), name, say);
  const stored = await readList(session, name);
  const plan = planImport(name, { stored, file: rows }, options.replace === true);
  for (const warning of warnOfLostNumbers(plan, rows)) say(warning);
  if (options.dryRun) {
    await printChanges(session.format, name, plan);
    say(`${describeCounts(plan, 'would be ')}. Nothing was written.`);
    return;
  }
  if (plan.removed.length > 0) await requireConfirmation(askRemoval(name, plan, stored), options.yes);
  await writeChanges(session, name, plan, IMPORT_ADVICE);
  say(`${describeCounts(plan)}.`);
  await session.printRecord({
    Added: plan.added.length,
    Changed: plan.changed.length,
    Removed: plan.removed.length,
    Unchanged: plan.unchanged,
  });
};

const describeCounts = ({ added, changed, removed, unchanged }: ImportPlan, would = '') =>
  `${counted(added.length, 'row')} ${would}added, ${grouped(changed.length)} changed, ${grouped(removed.length)} removed; ${grouped(unchanged)} of the file are in the list already`;

const REMOVAL_ADVICE = 'Run the command again with those that are still in the list.';

export const removeRows = async (
  session: Session,
  name: CatalogName,
  identifiers: readonly string[],
  isConfirmed: boolean | undefined,
) => {
  const stored = await readList(session, name);
  const changes = { added: [], changed: [], removed: findRows(stored, identifiers) };
  await requireConfirmation(askRemoval(name, changes, stored), isConfirmed);
  await writeChanges(session, name, changes, REMOVAL_ADVICE);
  const count = changes.removed.length;
  say(`${counted(count, 'row')} removed; the list has ${grouped(stored.size - count)} now.`);
  await session.printRecord({ Removed: count });
};

const askRemoval = (name: CatalogName, { removed }: ListChanges, stored: List) =>
  `Remove ${grouped(removed.length)} of the ${counted(stored.size, tables[name].partitionKey)} in the list?`;

/** Throws if an identifier is not in the list: it may be a slip for another row. */
const findRows = (stored: List, identifiers: readonly string[]): Removed[] => {
  const missing: string[] = [];
  const removed: Removed[] = [];
  for (const identifier of new Set(identifiers)) {
    const before = stored.get(identifier);
    if (before) removed.push({ identifier, before });
    else missing.push(quote(identifier));
  }
  if (missing.length === 0) return removed;
  throw new Failure(`Not in the list: ${missing.join(', ')}. Nothing was removed.`);
};
