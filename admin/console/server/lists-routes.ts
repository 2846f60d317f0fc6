import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import type { ListName } from '../../../shared/tables.ts';
import { requireRecords } from '../../deployment/deployment.ts';
import type { Session } from '../../deployment/session.ts';
import { RowEdit } from '../../lists/plan/read-edits.ts';
import { listOfCommand } from '../../stock/scope.ts';
import { createListEdits } from '../edits/list-edits.ts';
import type { StockService } from '../processes/start-stock.ts';

/** A list of all issues of a large body would not fit in the memory. */
const FIRST_ISSUE = { abortEarly: true } as const;

const Options = v.object({
  replace: v.optional(v.picklist(['true', 'false'])),
  decimal: v.optional(v.picklist(['.', ','])),
  file: v.optional(v.string()),
});

const Acceptance = v.object({ acceptsWarnings: v.optional(v.boolean()) });

const Undo = v.object({ change: v.string() });

export const listsRoutes = (session: Session, stock: StockService, ending: AbortSignal) => {
  const { reviewFile, reviewEdits, reviewUndo, write } = createListEdits(session, stock);

  const review = async (list: ListName, { req }: Context) => {
    const { replace, decimal, file } = v.parse(Options, req.query());
    if (req.header('Content-Type') !== 'application/octet-stream')
      return reviewEdits(
        list,
        v.parse(v.array(RowEdit), await req.json(), FIRST_ISSUE),
        decimal,
        req.raw.signal,
      );
    const bytes = new Uint8Array(await req.arrayBuffer());
    const origin = { kind: 'import', ...(file === undefined ? {} : { source: file }) } as const;
    return reviewFile({ list, bytes, options: { decimal } }, origin, replace === 'true', req.raw.signal);
  };

  return new Hono()
    .use('/lists/*', async (_, next) => {
      // Without a history, nobody can write what a review shows.
      requireRecords(session.deployment);
      await next();
    })
    .post('/lists/:command/review', async (context) =>
      context.json(await review(listOf(context.req.param('command')), context)),
    )
    .post('/lists/:command/undo', async (context) => {
      const { change } = v.parse(Undo, await context.req.json());
      const list = listOf(context.req.param('command'));
      return context.json(await reviewUndo(list, change, context.req.raw.signal));
    })
    .post('/reviews/:id', async (context) => {
      const { acceptsWarnings = false } = v.parse(Acceptance, await context.req.json());
      return context.json(await write(context.req.param('id'), acceptsWarnings, ending));
    });
};

export const listOf = (command: string) => {
  const name = listOfCommand(command);
  if (name === undefined) throw new HTTPException(404, { message: 'There is no such list.' });
  return name;
};
