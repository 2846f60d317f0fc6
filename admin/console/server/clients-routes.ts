import { Hono } from 'hono';
import * as v from 'valibot';
import type { Session } from '../../deployment/session.ts';
import { addClient, changeClient, readNotices } from '../edits/client-edits.ts';
import { Action, Addition } from '../edits/client-requests.ts';

export const clientsRoutes = (session: Session) => {
  const now = () => ({ ...session, now: session.deployment.now() });
  return new Hono()
    .get('/', async (context) => context.json(await readNotices(session)))
    .post('/', async (context) => {
      const addition = v.parse(Addition, await context.req.json());
      return context.json(await addClient(now(), addition));
    })
    .post('/:name', async (context) => {
      const action = v.parse(Action, await context.req.json());
      return context.json(await changeClient(now(), context.req.param('name'), action));
    });
};
