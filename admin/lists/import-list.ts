import type { CatalogName } from '../../shared/storage/catalog.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { openFile } from '../import/decode-file.ts';
import { readRows } from '../import/read-rows.ts';
import { warnOfLostNumbers } from '../import/warn-of-lost-numbers.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { printChanges } from './print-changes.ts';
import { readList } from './read-list.ts';
import { askRemoval } from './remove-rows.ts';
import { writeChanges } from './write-changes.ts';

const ADVICE = 'Run the same command again to complete it: it writes only what is missing.';

type Options = { dryRun?: true | undefined; replace?: true | undefined; yes?: true | undefined };

export const importList = async (session: Session, name: CatalogName, file: string, options: Options) => {
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
  await writeChanges(session, name, plan, ADVICE);
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
