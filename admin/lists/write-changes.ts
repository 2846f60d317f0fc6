import { type CatalogName, tables } from '../../shared/tables.ts';
import { explain, Failure } from '../cli/failure.ts';
import { watchWriting } from '../cli/interruption.ts';
import { withProgress } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import type { CatalogChange, OnBatch } from '../store/catalog-writer.ts';
import { changeKinds, type RowChange } from './plan-import.ts';
import { catalogWriterOf } from './read-list.ts';

const toCatalogChange = ({ kind, identifier, after }: RowChange): CatalogChange =>
  kind === 'removed' ? { remove: identifier } : { put: after };

/** Writes all changes. Otherwise throws a Failure that says how many were written, with the advice. */
export const writeChanges = async (
  session: Session,
  name: CatalogName,
  changes: readonly RowChange[],
  advice: string,
) => {
  const total = changes.length;
  const counts = { added: 0, changed: 0, removed: 0 };
  let written = 0;
  let unknown = 0;

  const describeOutcome = () => {
    const details = changeKinds.map((kind) => `${grouped(counts[kind])} ${kind}`).join(', ');
    const lost = ` Up to ${grouped(unknown)} more may have been written: their answers were lost.`;
    return `${grouped(written)} of ${counted(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${details}).${unknown > 0 ? lost : ''} ${advice}`;
  };

  const write = async (reach: (done: number) => void, signal: AbortSignal) => {
    // Removals come last: a list that lacks codes is worse than one that is too long for a moment.
    for (const kind of changeKinds) {
      const onBatch: OnBatch = (batch) => {
        counts[kind] += batch.written;
        written += batch.written;
        unknown += batch.unknown;
        reach(written);
      };
      const some = changes.filter((change) => change.kind === kind).map(toCatalogChange);
      await catalogWriterOf(session, name).write(some, onBatch, signal);
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
  if (written < total) throw new Failure(describeOutcome());
};
