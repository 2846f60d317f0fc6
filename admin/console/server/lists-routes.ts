import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { type CatalogName, catalogNames, tables } from '../../../shared/tables.ts';
import { Failure } from '../../cli/failure.ts';
import { cell } from '../../cli/output.ts';
import type { Session } from '../../deployment/session.ts';
import { readRows } from '../../import/read-rows.ts';
import { toColumn } from '../../import/table-columns.ts';
import { warnOfLostNumbers } from '../../import/warn-of-lost-numbers.ts';
import { exportColumns } from '../../lists/export-list.ts';
import { changeKinds, type ImportPlan, planImport, type RowChange } from '../../lists/plan-import.ts';
import { type ChangeLine, changeLines } from '../../lists/print-changes.ts';
import { type List, readList, readSortedRows } from '../../lists/read-list.ts';
import { tryChanges } from '../../lists/write-changes.ts';
import type { ListTable, Plan, Written } from '../api.ts';
import { readEdits } from './read-edits.ts';

const Edits = v.array(
  v.object({
    kind: v.picklist(changeKinds),
    identifier: v.string(),
    cells: v.array(
      v.object({ name: v.string(), kind: v.picklist(['text', 'number', 'json']), text: v.string() }),
    ),
  }),
);

const FileOptions = v.object({
  replace: v.optional(v.picklist(['true', 'false'])),
  decimal: v.optional(v.picklist(['.', ','])),
});

const SHOWN_CHANGES = 200;
const ADVICE = 'Review the other changes again: the console compares them with the current list.';

/** Changes to a list have two steps: a plan, and its confirmation. */
export const listsRoutes = (session: Session) => {
  const plans = keepPlans();

  const planFile = async (name: CatalogName, { req }: Context) => {
    const { replace, decimal } = v.parse(FileOptions, req.query());
    const warnings: string[] = [];
    const notice = (text: string) => warnings.push(text);
    const file = await readRows(req.raw.body ?? new Blob([]).stream(), name, { notice, decimal });
    const stored = await readList(session, name);
    const plan = planImport(name, { stored, file }, replace === 'true');
    return { ...plan, warnings: [...warnings, ...warnOfLostNumbers(plan.changes, file)] };
  };

  const planEdits = async (name: CatalogName, { req }: Context) => {
    const edits = v.parse(Edits, await req.json());
    const stored = await readList(session, name);
    const { file, removed } = readEdits(name, stored, edits);
    const gone = new Set(removed.map(({ identifier }) => identifier));
    const kept: List = new Map([...stored].filter(([identifier]) => !gone.has(identifier)));
    const { changes, unchanged } = planImport(name, { stored: kept, file }, false);
    return { changes: [...changes, ...removed], unchanged, warnings: warnOfLostNumbers(changes, file) };
  };

  return new Hono()
    .get('/lists/:list', async (context) => {
      const name = catalogOf(context.req.param('list'));
      return context.json<ListTable>(toTable(name, await readSortedRows(session, name)));
    })
    .post('/lists/:list/plan', async (context) => {
      const name = catalogOf(context.req.param('list'));
      const isFile = context.req.header('Content-Type') === 'application/octet-stream';
      const plan = await (isFile ? planFile : planEdits)(name, context);
      return context.json<Plan>(toPlan(plans.keep(name, plan.changes), name, plan));
    })
    .post('/plans/:id', async (context) => {
      const { name, changes } = plans.release(context.req.param('id'));
      const { added, changed, removed, conflicts } = await tryChanges(session, name, changes, ADVICE);
      return context.json<Written>({ added, changed, removed, conflicts });
    });
};

const catalogOf = (command: string) => {
  const name = catalogNames.find((name) => tables[name].catalog.command === command);
  if (name === undefined) throw new HTTPException(404, { message: 'There is no such list.' });
  return name;
};

const toTable = (name: CatalogName, items: Parameters<typeof exportColumns>[0]): ListTable => {
  const [identifier, ...columns] = exportColumns(items, tables[name].partitionKey);
  return {
    columns: columns.map(({ name }) => toColumn(name)).map(({ name, kind }) => ({ name, kind })),
    rows: items.map((item) => ({
      identifier: cell(identifier?.value(item)),
      cells: columns.map(({ value }) => {
        const text = value(item);
        return text === undefined ? null : cell(text);
      }),
    })),
  };
};

const toPlan = (
  id: string,
  name: CatalogName,
  { changes, unchanged, warnings }: ImportPlan & { warnings: string[] },
): Plan => {
  const count = (wanted: RowChange['kind']) => changes.filter(({ kind }) => kind === wanted).length;
  return {
    id,
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    unchanged,
    warnings,
    changes: changeLines(name, changes).take(SHOWN_CHANGES).map(toText).toArray(),
  };
};

/** JSON shows whether a value is a number or a text of digits. */
const toText = ({ kind, identifier, attribute = '', before, after }: ChangeLine) => {
  const [was, is] = [cell(before), cell(after)];
  const isAlike = was === is && before !== after;
  return {
    kind,
    identifier,
    attribute,
    before: isAlike ? JSON.stringify(before ?? null) : was,
    after: isAlike ? JSON.stringify(after ?? null) : is,
  };
};

const MAX_PLANS = 5;
const KEPT_MS = 15 * 60_000;

type KeptPlan = { name: CatalogName; changes: RowChange[]; keptAt: number };

const keepPlans = () => {
  const plans = new Map<string, KeptPlan>();
  return {
    keep: (name: CatalogName, changes: RowChange[]) => {
      const id = randomUUID();
      plans.set(id, { name, changes, keptAt: Date.now() });
      for (const oldest of [...plans.keys()].slice(0, -MAX_PLANS)) plans.delete(oldest);
      return id;
    },
    /** Each plan can be written once. */
    release: (id: string) => {
      const plan = plans.get(id);
      plans.delete(id);
      if (plan && Date.now() - plan.keptAt <= KEPT_MS) return plan;
      throw new Failure(
        'These changes were already written, or were reviewed too long ago. Nothing was written now. Review them again.',
      );
    },
  };
};
