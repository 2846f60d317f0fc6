import type { ListName } from '../../../shared/tables.ts';
import type { Session } from '../../deployment/session.ts';
import { keepPlans } from '../../lists/plan/keep-plans.ts';
import { type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import { type RowEdit, readEdits } from '../../lists/plan/read-edits.ts';
import { type ChangeLine, changeLines, countChanges } from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { writeChanges } from '../../lists/storage/write-changes.ts';
import { isNumber, toCellText } from '../../text/output.ts';
import type { PlanReview, ShownValue, WriteResult } from '../api.ts';
import type { StockService } from '../processes/start-stock.ts';
import type { ImportWork } from '../processes/worker.ts';

type FileRequest = ImportWork & { kind: 'file'; isReplaced: boolean };
type EditsRequest = { kind: 'edits'; list: ListName; edits: RowEdit[]; decimal?: '.' | ',' | undefined };
type WriteRequest = { kind: 'write'; id: string };

/** A request plans the changes of a file or of edits, or writes a plan that a person has confirmed. */
export type ListRequest = FileRequest | EditsRequest | WriteRequest;

const SHOWN_CHANGES = 200;
const ADVICE = 'Review the other changes again: the console compares them with the current list.';

/** The signal ends the process that reads a file, or stops a write midway. */
export const createListEdits = (session: Session, { readFile }: Pick<StockService, 'readFile'>) => {
  const plans = keepPlans(Date.now);

  const planFile = async (request: FileRequest, signal: AbortSignal) => {
    const { list, isReplaced } = request;
    const content = await readFile(request, signal);
    return planChanges(list, await readList(session, list), content, isReplaced);
  };

  const planEdits = async ({ list, edits, decimal }: EditsRequest) => {
    const stored = await readList(session, list);
    return planChanges(list, stored, readEdits(list, stored, edits, decimal));
  };

  const write = async ({ id }: WriteRequest, signal: AbortSignal): Promise<WriteResult> => {
    const { deployment } = session;
    const { list, changes } = plans.release(id);
    const { summary: _, ...written } = await writeChanges(list, changes, {
      deployment,
      signal,
      advice: ADVICE,
    });
    return written;
  };

  return async (request: ListRequest, signal: AbortSignal): Promise<PlanReview | WriteResult> => {
    if (request.kind === 'write') return write(request, signal);
    const plan = await (request.kind === 'file' ? planFile(request, signal) : planEdits(request));
    return toReview(plans.keep(request.list, plan.changes), request.list, plan);
  };
};

const toReview = (id: string, name: ListName, { changes, notices }: ListPlan): PlanReview => ({
  id,
  ...countChanges(changes),
  notices,
  changes: changeLines(name, changes).take(SHOWN_CHANGES).map(toShown).toArray(),
});

const toShown = ({ kind, identifier, attribute = '', before, after }: ChangeLine) => {
  const isAlike = toCellText(before) === toCellText(after) && before !== after;
  const shown = (value: unknown): ShownValue => {
    if (isNumber(value)) return { number: toCellText(value) };
    // In JSON, the text "5" differs from the number 5.
    return isAlike ? JSON.stringify(value ?? null) : toCellText(value);
  };
  return { kind, identifier, attribute, before: shown(before), after: shown(after) };
};
