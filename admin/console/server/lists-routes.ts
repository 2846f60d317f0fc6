import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import type { Session } from '../../deployment/session.ts';
import { keepPlans } from '../../lists/plan/keep-plans.ts';
import { type ListPlan, planChanges } from '../../lists/plan/plan-changes.ts';
import { readEdits } from '../../lists/plan/read-edits.ts';
import { type ChangeLine, changeKinds, changeLines, countChanges } from '../../lists/plan/row-change.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { writeChanges } from '../../lists/storage/write-changes.ts';
import { cell, isNumber } from '../../text/output.ts';
import type { PlanReview, ShownValue, Written } from '../api.ts';
import type { StockService } from '../threads/start-stock.ts';

const Edits = v.array(
  v.object({
    kind: v.picklist(changeKinds),
    identifier: v.string(),
    cells: v.array(
      v.object({ name: v.string(), kind: v.picklist(['text', 'number', 'json']), text: v.string() }),
    ),
  }),
);

const Options = v.object({
  replace: v.optional(v.picklist(['true', 'false'])),
  decimal: v.optional(v.picklist(['.', ','])),
});

const SHOWN_CHANGES = 200;
const ADVICE = 'Review the other changes again: the console compares them with the current list.';

/** Changes to a list have two steps: a plan, and its confirmation. `ending` aborts when the console ends. */
export const listsRoutes = ({ deployment }: Session, stock: StockService, ending: AbortSignal) => {
  const plans = keepPlans(Date.now);

  const planFile = async (list: ListName, { req }: Context) => {
    const { replace, ...signs } = v.parse(Options, req.query());
    const work = { bytes: new Uint8Array(await req.arrayBuffer()), list, signs };
    const given = await stock.readFile(work, req.raw.signal);
    return planChanges(list, await readList({ deployment }, list), given, replace === 'true');
  };

  const planEdits = async (list: ListName, { req }: Context) => {
    const edits = v.parse(Edits, await req.json());
    const { decimal } = v.parse(Options, req.query());
    const stored = await readList({ deployment }, list);
    return planChanges(list, stored, readEdits(list, stored, edits, decimal));
  };

  return new Hono()
    .post('/lists/:list/plan', async (context) => {
      const name = listOf(context.req.param('list'));
      const isFile = context.req.header('Content-Type') === 'application/octet-stream';
      const plan = await (isFile ? planFile : planEdits)(name, context);
      return context.json<PlanReview>(toPlan(plans.keep(name, plan.changes), name, plan));
    })
    .post('/plans/:id', async (context) => {
      const { name, changes } = plans.release(context.req.param('id'));
      const writing = { deployment, signal: ending, advice: ADVICE };
      const { outcome: _, ...written } = await writeChanges(name, changes, writing);
      return context.json<Written>(written);
    });
};

const listOf = (command: string) => {
  const name = listNames.find((name) => tables[name].list.command === command);
  if (name === undefined) throw new HTTPException(404, { message: 'There is no such list.' });
  return name;
};

const toPlan = (id: string, name: ListName, { changes, unchanged, notices }: ListPlan): PlanReview => ({
  id,
  ...countChanges(changes),
  unchanged,
  notices,
  changes: changeLines(name, changes).take(SHOWN_CHANGES).map(toShown).toArray(),
});

const toShown = ({ kind, identifier, attribute = '', before, after }: ChangeLine) => {
  const isAlike = cell(before) === cell(after) && before !== after;
  const shown = (value: unknown): ShownValue => {
    if (isNumber(value)) return { number: cell(value) };
    // JSON shows that a text of digits is no number.
    return isAlike ? JSON.stringify(value ?? null) : cell(value);
  };
  return { kind, identifier, attribute, before: shown(before), after: shown(after) };
};
