import { zValidator } from '@hono/zod-validator';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { StockBalanceBatch } from './schema.ts';
import { storeSnapshot } from './storage.ts';

/** The operation as the guides of Hono and zod write it. A refused batch gets a 400 with zod's own error. */

const app = new Hono<{ Bindings: { event: APIGatewayProxyEvent } }>();

app.post(
  '/rest/warehouse-control/material-stock-balance',
  zValidator('json', StockBalanceBatch),
  async ({ req, env, json }) => {
    const { authorizer, requestId } = env.event.requestContext;
    const { MaterialCodes } = req.valid('json');
    return json(await storeSnapshot(MaterialCodes, { client: authorizer?.['client'], requestId }));
  },
);

export const handler = handle(app);
