import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { Session } from '../../deployment/session.ts';
import { createClientEdits } from '../edits/client-edits.ts';
import { Action, Addition, type ClientRequest } from '../edits/client-requests.ts';

export const clientsRoutes = (session: Session) => {
  const readOrChange = createClientEdits(session);
  const respond = async (context: Context, request: ClientRequest) =>
    context.json(await readOrChange(request));

  return new Hono()
    .get('/', (context) => respond(context, { kind: 'notices' }))
    .post('/', async (context) =>
      respond(context, { kind: 'addition', addition: v.parse(Addition, await context.req.json()) }),
    )
    .post('/:name', async (context) => {
      const action = v.parse(Action, await context.req.json());
      return respond(context, { kind: 'action', name: context.req.param('name'), action });
    });
};
