import type { CatalogName } from '../../shared/storage/catalog.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { openFile } from '../import/file-text.ts';
import { numbersBecomeText } from '../import/numbers-become-text.ts';
import { readRows } from '../import/read-rows.ts';
import { printChanges } from './change-lines.ts';
import { type Plan, planImport } from './plan.ts';
import { removalQuestion } from './remove-rows.ts';
import { catalogWriterOf, readTable } from './table.ts';
import { writePlan } from './write-plan.ts';

const AGAIN = 'Run the same command again to complete it: it writes only what is missing.';

type Options = { dryRun?: true | undefined; replace?: true | undefined; yes?: true | undefined };

export const importList = async (session: Session, name: CatalogName, file: string, options: Options) => {
  const rows = await readRows(openFile(file), name, say);
  const editor = catalogWriterOf(session, name);
  const stored = await readTable(editor, name);
  const plan = planImport(name, { stored, file: rows }, options.replace === true);
  for (const warning of numbersBecomeText(plan, rows)) say(warning);
  if (options.dryRun) {
    await printChanges(session, name, plan);
    say(`${countsInWords(plan, 'would be ')}. Nothing was written.`);
    return;
  }
  if (plan.removed.length > 0) {
    await requireConfirmation(removalQuestion(name, plan.removed.length, stored.size), options.yes);
  }
  await writePlan(editor, name, plan, AGAIN);
  say(`${countsInWords(plan)}.`);
  await session.printRecord({
    Added: plan.added.length,
    Changed: plan.changed.length,
    Removed: plan.removed.length,
    Unchanged: plan.unchanged,
  });
};

const countsInWords = ({ added, changed, removed, unchanged }: Plan, would = '') =>
  `${counted(added.length, 'row')} ${would}added, ${grouped(changed.length)} changed, ${grouped(removed.length)} removed; ${grouped(unchanged)} of the file are in the list already`;
