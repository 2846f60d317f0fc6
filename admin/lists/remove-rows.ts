import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { Failure } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { quote } from '../import/faults.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';
import type { Removed } from './plan.ts';
import { catalogWriterOf, readTable } from './table.ts';
import { writePlan } from './write-plan.ts';

const AGAIN = 'Run the command again with those that are still in the list.';

export const removeRows = async (
  session: Session,
  name: CatalogName,
  identifiers: readonly string[],
  isAgreed: boolean | undefined,
) => {
  const editor = catalogWriterOf(session, name);
  const stored = await readTable(editor, name);
  const removed = chosenFrom(stored, identifiers);
  await requireConfirmation(removalQuestion(name, removed.length, stored.size), isAgreed);
  await writePlan(editor, name, { added: [], changed: [], removed, unchanged: 0 }, AGAIN);
  say(
    `${counted(removed.length, 'row')} removed; the list has ${grouped(stored.size - removed.length)} now.`,
  );
  await session.printRecord({ Removed: removed.length });
};

export const removalQuestion = (name: CatalogName, some: number, all: number) =>
  `Remove ${grouped(some)} of the ${counted(all, catalogs[name].key)} in the list?`;

/** All of them or none: one that is missing may be a slip for another that is meant. */
const chosenFrom = (stored: ReadonlyMap<string, CatalogItem>, identifiers: readonly string[]): Removed[] => {
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
