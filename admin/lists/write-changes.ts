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

/** Writes all changes, or throws a Failure with the number of written changes and the advice. */
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
 * Writes the changes, except to rows that somebody else has changed since they were read. After an error or an
 * interruption, throws a Failure with the number of written changes and the advice.
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
    const lost = ` Up to ${grouped(unknown)} more may have been written, because their responses were lost.`;
    const changed = ` Somebody else has changed ${joinFirstNames(conflicts.map(quote))} in the meantime; these rows stay as they are.`;
    return `${grouped(written)} of ${counted(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${details}).${unknown > 0 ? lost : ''}${conflicts.length > 0 ? changed : ''} ${advice}`;
  };

  const write = async (reach: (done: number) => void, signal: AbortSignal) => {
    // Removals come last: a list without needed codes is worse than a list that is too long for a moment.
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
