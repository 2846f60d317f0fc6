import { type CatalogName, tables } from '../../shared/tables.ts';
import { explain, Failure } from '../cli/failure.ts';
import { watchWriting } from '../cli/interruption.ts';
import { withProgress } from '../cli/terminal.ts';
import { counted, grouped, joinFirstNames } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import { quote } from '../import/faults.ts';
import type { OnWrite } from '../store/catalog-writer.ts';
import { changeKinds, type RowChange } from './plan-import.ts';
import { catalogWriterOf } from './read-list.ts';

/** Writes all changes. Otherwise throws a Failure that says how many were written, with the advice. */
export const writeChanges = async (
  session: Session,
  name: CatalogName,
  changes: readonly RowChange[],
  advice: string,
) => {
  const { conflicts, describeOutcome } = await tryChanges(session, name, changes, advice);
  if (conflicts.length > 0) throw new Failure(describeOutcome());
};

/**
 * Writes the changes, but not to rows that somebody else has changed since they were read. Throws a Failure that says
 * how many were written, with the advice, when an error or an interruption ends it.
 */
export const tryChanges = async (
  session: Session,
  name: CatalogName,
  changes: readonly RowChange[],
  advice: string,
) => {
  const total = changes.length;
  const counts = { added: 0, changed: 0, removed: 0 };
  const conflicts: string[] = [];
  let written = 0;
  let unknown = 0;

  const describeOutcome = () => {
    const details = changeKinds.map((kind) => `${grouped(counts[kind])} ${kind}`).join(', ');
    const lost = ` Up to ${grouped(unknown)} more may have been written: their answers were lost.`;
    const changed = ` Somebody else has changed ${joinFirstNames(conflicts.map(quote))} meanwhile, and that stays.`;
    return `${grouped(written)} of ${counted(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${details}).${unknown > 0 ? lost : ''}${conflicts.length > 0 ? changed : ''} ${advice}`;
  };

  const write = async (reach: (done: number) => void, signal: AbortSignal) => {
    // Removals come last: a list that lacks codes is worse than one that is too long for a moment.
    for (const kind of changeKinds) {
      const onWrite: OnWrite = ({ identifier }, outcome) => {
        if (outcome === 'conflict') conflicts.push(identifier);
        if (outcome === 'unknown') unknown += 1;
        if (outcome !== 'written') return;
        counts[kind] += 1;
        written += 1;
        reach(written);
      };
      const some = changes.filter((change) => change.kind === kind);
      await catalogWriterOf(session, name).write(some, onWrite, signal);
    }
  };

  const interruption = watchWriting();
  try {
    await withProgress(`Writing ${tables[name].partitionKey}s`, total, (reach) =>
      write(reach, interruption.signal),
    );
  } catch (error) {
    throw new Failure(`${explain(error)}\n${describeOutcome()}`);
  } finally {
    interruption.stopWatching();
  }
  if (written + conflicts.length < total) throw new Failure(describeOutcome());
  return { ...counts, conflicts, describeOutcome };
};
