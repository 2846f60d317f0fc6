import { randomUUID } from 'node:crypto';
import type { ListName } from '../../../shared/tables.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { Failure } from '../../text/failure.ts';
import type { RowChange } from './row-change.ts';

const KEPT_MS = 15 * MINUTE_MS;
/** Of all kept plans. A change needs about a kilobyte. */
const MAX_CHANGES = 200_000;

type KeptPlan = { name: ListName; changes: readonly RowChange[]; keptAt: number };

/** Keeps plans until they are confirmed, for 15 minutes. */
export const keepPlans = (clock: () => number, maxChanges = MAX_CHANGES) => {
  const plans = new Map<string, KeptPlan>();

  const dropOldest = () => {
    let kept = 0;
    for (const [id, { changes, keptAt }] of [...plans].reverse()) {
      kept += changes.length;
      // The newest plan stays, however large it is.
      const isTooMuch = kept > maxChanges && kept > changes.length;
      if (isTooMuch || clock() - keptAt > KEPT_MS) plans.delete(id);
    }
  };

  return {
    keep: (name: ListName, changes: readonly RowChange[]) => {
      const id = randomUUID();
      plans.set(id, { name, changes, keptAt: clock() });
      dropOldest();
      return id;
    },
    /** Each plan can be written once. */
    release: (id: string) => {
      dropOldest();
      const plan = plans.get(id);
      plans.delete(id);
      if (plan) return plan;
      throw new Failure(
        'These changes were already written, or were reviewed too long ago. Nothing was written now. Review them again.',
      );
    },
  };
};
