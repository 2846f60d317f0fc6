import { zValidator } from '@hono/zod-validator';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { handle } from 'hono/aws-lambda';
import type * as z from 'zod';
import { notJson, problemOf, refusedBody } from './problem.ts';
import { Change, StockBalanceBatch } from './schemas.ts';
import { listMaterialCodes, listPurchaseOrders, recordChange, type Sender, storeSnapshot } from './store.ts';

/** The four operations, written with Hono and zod. */

type Env = { Bindings: { event: APIGatewayProxyEvent } };

const senderOf = ({ env }: Context<Env>): Sender => {
  const { authorizer, requestId } = env.event.requestContext;
  return { client: authorizer?.['client'], requestId };
};

const requireJson: MiddlewareHandler<Env> = async ({ req }, next) => {
  if (!req.header('Content-Type')?.toLowerCase().startsWith('application/json')) throw notJson();
  await next();
};

const parseBody = <TSchema extends z.ZodType>(schema: TSchema) =>
  zValidator('json', schema, (result) => {
    if (!result.success) throw refusedBody(result.error);
  });

const app = new Hono<Env>().basePath('/rest/warehouse-control');

app.post('/changes', requireJson, parseBody(Change), async (context) => {
  const { Timestamp } = context.req.valid('json');
  await recordChange(Timestamp, senderOf(context));
  return context.json({ Timestamp });
});

app.get('/material-codes', async (context) => context.json({ MaterialCodes: await listMaterialCodes() }));

app.get('/purchase-orders', async (context) => context.json({ PurchaseOrders: await listPurchaseOrders() }));

app.post('/material-stock-balance', requireJson, parseBody(StockBalanceBatch), async (context) => {
  const { MaterialCodes } = context.req.valid('json');
  return context.json(await storeSnapshot(MaterialCodes, senderOf(context)));
});

app.onError((error, context) => {
  const problem = problemOf(error, senderOf(context).requestId);
  return context.json(problem, problem.status, { 'Content-Type': 'application/problem+json' });
});

export const handler = handle(app);
