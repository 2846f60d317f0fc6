import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { Failure } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { quote } from '../import/faults.ts';
import type { ListChanges, Removed } from './plan-import.ts';
import { type List, readList } from './read-list.ts';
import { writeChanges } from './write-changes.ts';

const ADVICE = 'Run the command again with those that are still in the list.';

export const removeRows = async (
  session: Session,
  name: CatalogName,
  identifiers: readonly string[],
  isConfirmed: boolean | undefined,
) => {
  const stored = await readList(session, name);
  const changes = { added: [], changed: [], removed: findRows(stored, identifiers) };
  await requireConfirmation(askRemoval(name, changes, stored), isConfirmed);
  await writeChanges(session, name, changes, ADVICE);
  const count = changes.removed.length;
  say(`${counted(count, 'row')} removed; the list has ${grouped(stored.size - count)} now.`);
  await session.printRecord({ Removed: count });
};

export const askRemoval = (name: CatalogName, { removed }: ListChanges, stored: List) =>
  `Remove ${grouped(removed.length)} of the ${counted(stored.size, catalogs[name].key)} in the list?`;

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
