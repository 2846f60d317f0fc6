import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { Action, Addition, type ClientRequest } from '../client-requests.ts';
import type { StockService } from '../threads/start-stock-threads.ts';
import { sendJson } from './tables-routes.ts';

export const clientsRoutes = (stock: StockService) => {
  const respond = async (context: Context, request: ClientRequest) =>
    sendJson(context, await stock.readOrChangeClients(request));

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
