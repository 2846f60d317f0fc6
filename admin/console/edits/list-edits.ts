import type { ListName } from '../../../shared/tables.ts';
import type { Session } from '../../deployment/session.ts';
import { findChange } from '../../lists/history/find-change.ts';
import { planUndo } from '../../lists/history/plan-undo.ts';
import { writeChanges } from '../../lists/history/write-changes.ts';
import { keepPlans } from '../../lists/plan/keep-plans.ts';
import { type List, type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import { type RowEdit, readEdits } from '../../lists/plan/read-edits.ts';
import {
  type ChangeLine,
  type ChangeOrigin,
  changeLines,
  countChanges,
} from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { type AskUses, reviewPlan } from '../../review/review-plan.ts';
import { isNumber, toCellText } from '../../text/output.ts';
import type { PlanReview, ShownValue, WriteResult } from '../api.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { ImportWork } from '../processes/worker.ts';

const SHOWN_CHANGES = 200;
const ADVICE = 'Review the other changes again: the console compares them with the current list.';

const FIRST_READ = 'The console is still reading the balances for the first time. Review again in a moment.';

export const createListEdits = (session: Session, stock: StockService) => {
  const plans = keepPlans(Date.now);

  const askUses =
    (signal: AbortSignal): AskUses =>
    async (question) => {
      const { failure, isFirstRead } = await stock.readState();
      if (failure !== undefined) return { failure };
      return isFirstRead ? { failure: FIRST_READ } : stock.ask('uses', question, signal);
    };

  const review = async (
    list: ListName,
    origin: ChangeOrigin,
    signal: AbortSignal,
    makePlan: (stored: List) => Promise<ListPlan>,
  ): Promise<PlanReview> => {
    const stored = await readList(session, list);
    const plan = await reviewPlan(list, stored, await makePlan(stored), askUses(signal));
    const { changes, notices, warnings } = plan;
    return {
      id: plans.keep(list, plan, origin),
      ...{ ...countChanges(changes), notices, warnings },
      changes: changeLines(list, changes).take(SHOWN_CHANGES).map(toShown).toArray(),
    };
  };

  return {
    /** The signal ends the process that reads the file. */
    reviewFile: async (file: ImportWork, origin: ChangeOrigin, isReplaced: boolean, signal: AbortSignal) => {
      const content = await stock.readFile(file, signal);
      return review(file.list, origin, signal, (stored) =>
        planChanges(file.list, stored, content, isReplaced),
      );
    },
    reviewEdits: (
      list: ListName,
      edits: readonly RowEdit[],
      decimal: '.' | ',' | undefined,
      signal: AbortSignal,
    ) =>
      review(list, { kind: 'edit' }, signal, async (stored) =>
        planChanges(list, stored, readEdits(list, stored, edits, decimal)),
      ),
    reviewUndo: (list: ListName, change: string, signal: AbortSignal) =>
      review(list, { kind: 'undo', undoes: change }, signal, async (stored) => {
        const { changes } = await findChange(session.deployment, list, change, stored);
        return planUndo(list, stored, changes);
      }),
    /** The signal stops the writing midway. */
    write: async (id: string, acceptsWarnings: boolean, signal: AbortSignal): Promise<WriteResult> => {
      const { list, changes, origin } = plans.release(id, acceptsWarnings);
      const writing = { deployment: session.deployment, origin, signal, advice: ADVICE };
      const { summary: _, ...written } = await writeChanges(list, changes, writing);
      return written;
    },
  };
};

const toShown = ({ kind, identifier, attribute = '', before, after }: ChangeLine) => {
  const isAlike = toCellText(before) === toCellText(after) && before !== after;
  const shown = (value: unknown): ShownValue => {
    if (isNumber(value)) return { number: toCellText(value) };
    // In JSON, the text "5" differs from the number 5.
    return isAlike ? JSON.stringify(value ?? null) : toCellText(value);
  };
  return { kind, identifier, attribute, before: shown(before), after: shown(after) };
};
