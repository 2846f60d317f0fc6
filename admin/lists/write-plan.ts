import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { explain, Failure } from '../cli/failure.ts';
import { watchInterruption } from '../cli/interruption.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import type { CatalogChange, CatalogWriter } from '../store/catalog-writer.ts';
import type { Plan } from './plan.ts';

/** Removals come last: a list that lacks codes is worse than one that is too long for a moment. */
const stagesOf = ({ added, changed, removed }: Plan) => {
  const puts = (rows: Plan['added']): CatalogChange[] => rows.map(({ after }) => ({ put: after }));
  return [
    { what: 'added', changes: puts(added), taken: 0 },
    { what: 'changed', changes: puts(changed), taken: 0 },
    { what: 'removed', changes: removed.map(({ identifier }) => ({ remove: identifier })), taken: 0 },
  ];
};

/** Writes all of it, or throws a Failure that tells how much was written, and what to do then. */
export const writePlan = async (editor: CatalogWriter, name: CatalogName, plan: Plan, again: string) => {
  const stages = stagesOf(plan);
  const total = stages.reduce((sum, { changes }) => sum + changes.length, 0);
  let taken = 0;
  let unknown = 0;

  const outcome = () => {
    const counts = stages.map(({ what, taken }) => `${grouped(taken)} ${what}`).join(', ');
    const lost = ` Up to ${grouped(unknown)} more may have been written: their answers were lost.`;
    return `${grouped(taken)} of ${counted(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${counts}).${unknown > 0 ? lost : ''} ${again}`;
  };

  const write = async (reach: (done: number) => void, signal: AbortSignal) => {
    for (const stage of stages) {
      const onCalled = (called: { taken: number; unknown: number }) => {
        stage.taken += called.taken;
        taken += called.taken;
        unknown += called.unknown;
        reach(taken);
      };
      await editor.write(stage.changes, onCalled, signal);
    }
  };

  const interrupted = watchInterruption({
    onFirst: () => say('Ending, once what is on its way is written.'),
  });
  try {
    await withProgress(`Writing ${catalogs[name].key}s`, total, (reach) => write(reach, interrupted.signal));
  } catch (error) {
    throw new Failure(`${explain(error)}\n${outcome()}`);
  } finally {
    interrupted.stopWatching();
  }
  if (taken < total) throw new Failure(outcome());
};
