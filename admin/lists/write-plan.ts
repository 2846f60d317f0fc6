import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import type { CatalogChange, CatalogEditor } from '../../shared/store/catalog-editor.ts';
import { explain } from '../explain.ts';
import { Failure } from '../failure.ts';
import { showProgress } from '../terminal.ts';
import type { Plan } from './plan.ts';

const inWords = (count: number) => count.toLocaleString('en-US');

/** Removals come last: a list that lacks codes is worse than one that is too long for a moment. */
const stagesOf = ({ added, changed, removed }: Plan) => {
  const puts = (rows: Plan['added']): CatalogChange[] => rows.map(({ after }) => ({ put: after }));
  return [
    { what: 'added', changes: puts(added), taken: 0 },
    { what: 'changed', changes: puts(changed), taken: 0 },
    { what: 'removed', changes: removed.map(({ identifier }) => ({ remove: identifier })), taken: 0 },
  ];
};

/** Writes all of it, or throws a Failure that tells how much was written. */
export const writePlan = async (editor: CatalogEditor, name: CatalogName, plan: Plan) => {
  const stages = stagesOf(plan);
  const total = stages.reduce((sum, { changes }) => sum + changes.length, 0);
  const progress = showProgress(`Writing ${catalogs[name].key}s`, total);
  const interrupted = interruption();
  let taken = 0;
  let unknown = 0;

  const outcome = () => {
    const counts = stages.map(({ what, taken }) => `${inWords(taken)} ${what}`).join(', ');
    const lost = ` Up to ${inWords(unknown)} more may have been written: their answers were lost.`;
    return `${inWords(taken)} of ${inWords(total)} changes are written (${counts}).${unknown > 0 ? lost : ''} Run the same command again to complete it: it writes only what is missing.`;
  };

  try {
    for (const stage of stages) {
      const onCalled = (called: { taken: number; unknown: number }) => {
        stage.taken += called.taken;
        taken += called.taken;
        unknown += called.unknown;
        progress.reach(taken);
      };
      await editor.write(stage.changes, onCalled, interrupted.signal);
    }
  } catch (error) {
    throw new Failure(`${explain(error).message}\n${outcome()}`);
  } finally {
    progress.end();
    interrupted.end();
  }
  if (taken < total) throw new Failure(outcome());
};

/** A second Ctrl-C ends everything at once, as it does without this. */
const interruption = () => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.off(signal, abort);
    },
  };
};
