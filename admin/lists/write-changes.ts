import { type CatalogName, tables } from '../../shared/tables.ts';
import { explain, Failure } from '../cli/failure.ts';
import { watchWriting } from '../cli/interruption.ts';
import { withProgress } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { Session } from '../deployment/session.ts';
import type { CatalogChange } from '../store/catalog-writer.ts';
import type { ListChanges } from './plan-import.ts';
import { catalogWriterOf } from './read-list.ts';

/** Removals come last: a list that lacks codes is worse than one that is too long for a moment. */
const stagesOf = ({ added, changed, removed }: ListChanges) => {
  const puts = (rows: ListChanges['added']): CatalogChange[] => rows.map(({ after }) => ({ put: after }));
  return [
    { what: 'added', changes: puts(added), written: 0 },
    { what: 'changed', changes: puts(changed), written: 0 },
    { what: 'removed', changes: removed.map(({ identifier }) => ({ remove: identifier })), written: 0 },
  ];
};

/** Writes all changes. Otherwise throws a Failure that says how many were written, with the advice. */
export const writeChanges = async (
  session: Session,
  name: CatalogName,
  changes: ListChanges,
  advice: string,
) => {
  const stages = stagesOf(changes);
  const total = stages.reduce((sum, { changes }) => sum + changes.length, 0);
  let written = 0;
  let unknown = 0;

  const describeOutcome = () => {
    const counts = stages.map(({ what, written }) => `${grouped(written)} ${what}`).join(', ');
    const lost = ` Up to ${grouped(unknown)} more may have been written: their answers were lost.`;
    return `${grouped(written)} of ${counted(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${counts}).${unknown > 0 ? lost : ''} ${advice}`;
  };

  const write = async (reach: (done: number) => void, signal: AbortSignal) => {
    for (const stage of stages) {
      const onBatch = (batch: { written: number; unknown: number }) => {
        stage.written += batch.written;
        written += batch.written;
        unknown += batch.unknown;
        reach(written);
      };
      await catalogWriterOf(session, name).write(stage.changes, onBatch, signal);
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
