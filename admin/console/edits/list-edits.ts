import type { ListName } from '../../../shared/tables.ts';
import type { Session } from '../../deployment/session.ts';
import { writeChanges } from '../../lists/history/write-changes.ts';
import { keepPlans } from '../../lists/plan/keep-plans.ts';
import { type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import { type RowEdit, readEdits } from '../../lists/plan/read-edits.ts';
import {
  type ChangeLine,
  type ChangeOrigin,
  changeLines,
  countChanges,
} from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { isNumber, toCellText } from '../../text/output.ts';
import type { PlanReview, ShownValue, WriteResult } from '../api.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { ImportWork } from '../processes/worker.ts';

const SHOWN_CHANGES = 200;
const ADVICE = 'Review the other changes again: the console compares them with the current list.';

/** Reviews what a file or edits would change, and writes what a person has confirmed. */
export const createListEdits = (session: Session, { readFile }: Pick<StockService, 'readFile'>) => {
  const plans = keepPlans(Date.now);

  const toReview = (list: ListName, { changes, notices }: ListPlan, origin: ChangeOrigin): PlanReview => ({
    id: plans.keep(list, changes, origin),
    ...countChanges(changes),
    notices,
    changes: changeLines(list, changes).take(SHOWN_CHANGES).map(toShown).toArray(),
  });

  return {
    /** The signal ends the process that reads the file. */
    reviewFile: async (
      file: ImportWork,
      source: string | undefined,
      isReplaced: boolean,
      signal: AbortSignal,
    ) => {
      const content = await readFile(file, signal);
      const stored = await readList(session, file.list);
      const plan = await planChanges(file.list, stored, content, isReplaced);
      return toReview(file.list, plan, { kind: 'import', ...(source === undefined ? {} : { source }) });
    },
    reviewEdits: async (list: ListName, edits: readonly RowEdit[], decimal: '.' | ',' | undefined) => {
      const stored = await readList(session, list);
      const plan = await planChanges(list, stored, readEdits(list, stored, edits, decimal));
      return toReview(list, plan, { kind: 'edit' });
    },
    /** The signal stops the writing midway. */
    write: async (id: string, signal: AbortSignal): Promise<WriteResult> => {
      const { list, changes, origin } = plans.release(id);
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
