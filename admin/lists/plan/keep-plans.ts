import { randomUUID } from 'node:crypto';
import type { ListName } from '../../../shared/tables.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { Failure } from '../../text/failure.ts';
import type { ListPlan } from './plan-changes.ts';
import type { ChangeOrigin } from './row-change.ts';

const KEPT_MS = 15 * MINUTE_MS;
/** If all plans together have more changes, of about a kilobyte each, the oldest plans are dropped. */
const MAX_CHANGES = 200_000;

type KeptPlan = Pick<ListPlan, 'changes' | 'warnings'> & {
  list: ListName;
  origin: ChangeOrigin;
  keptAt: number;
};

/** Keeps each plan for 15 minutes, in which a person can confirm it. */
export const keepPlans = (clock: () => number, maxChanges = MAX_CHANGES) => {
  const plans = new Map<string, KeptPlan>();

  const dropOldest = () => {
    let keptChanges = 0;
    for (const [id, { changes, keptAt }] of [...plans].reverse()) {
      keptChanges += changes.length;
      // The newest plan stays, however large it is.
      const isOverLimit = keptChanges > maxChanges && keptChanges > changes.length;
      if (isOverLimit || clock() - keptAt > KEPT_MS) plans.delete(id);
    }
  };

  return {
    keep: (
      list: ListName,
      { changes, warnings }: Pick<ListPlan, 'changes' | 'warnings'>,
      origin: ChangeOrigin,
    ) => {
      const id = randomUUID();
      plans.set(id, { list, changes, warnings, origin, keptAt: clock() });
      dropOldest();
      return id;
    },
    /** Returns a plan and forgets it, because it can be written only once. A plan whose warnings are not accepted stays. */
    release: (id: string, acceptsWarnings: boolean) => {
      dropOldest();
      const plan = plans.get(id);
      if (plan && plan.warnings.length > 0 && !acceptsWarnings) throw new Failure(WARNED);
      plans.delete(id);
      if (plan) return plan;
      throw new Failure(
        'These changes were already written, or the console no longer keeps them. Nothing was written now. Review them again.',
      );
    },
  };
};

const WARNED =
  'Nothing was written, because the review has warnings. Read them, and tick that you have read them.';
