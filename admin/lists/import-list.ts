import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import { confirmed } from '../ask.ts';
import type { Session } from '../session.ts';
import { say } from '../terminal.ts';
import { counted } from '../words.ts';
import { changeColumns, changeLines } from './change-lines.ts';
import { openFile } from './file-text.ts';
import { type Plan, planImport } from './plan.ts';
import { readRows } from './read-rows.ts';
import { editorOf, readTable } from './show-list.ts';
import { writePlan } from './write-plan.ts';

type Options = { dryRun?: true | undefined; replace?: true | undefined; yes?: true | undefined };

export const importList = async (session: Session, name: CatalogName, file: string, options: Options) => {
  const rows = await readRows(openFile(file), name);
  const editor = editorOf(session, name);
  const stored = await readTable(editor, name);
  const plan = planImport(name, { stored, file: rows }, options.replace === true);
  if (options.dryRun) {
    await session.printRows(changeColumns(name, session.format), changeLines(name, plan));
    say(`${countsInWords(plan, 'would be ')}. Nothing was written.`);
    return;
  }
  if (plan.removed.length > 0) {
    const key = catalogs[name].key;
    const what = `${inWords(plan.removed.length)} of the ${counted(stored.size, key)} in the list`;
    await confirmed(`Remove ${what}?`, options.yes);
  }
  await writePlan(editor, name, plan);
  say(`${countsInWords(plan)}.`);
  await session.printRecord({
    Added: plan.added.length,
    Changed: plan.changed.length,
    Removed: plan.removed.length,
    Unchanged: plan.unchanged,
  });
};

const inWords = (count: number) => count.toLocaleString('en-US');

const countsInWords = ({ added, changed, removed, unchanged }: Plan, would = '') =>
  `${counted(added.length, 'row')} ${would}added, ${inWords(changed.length)} changed, ${inWords(removed.length)} removed; ${inWords(unchanged)} of the file are in the list already`;
