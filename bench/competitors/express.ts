import type { APIGatewayEventRequestContext } from 'aws-lambda';
import express, { type ErrorRequestHandler, type Request } from 'express';
import serverless from 'serverless-http';
import type * as z from 'zod';
import { notJson, problemOf, refusedBody } from './problem.ts';
import { Change, StockBalanceBatch } from './schemas.ts';
import { listMaterialCodes, listPurchaseOrders, recordChange, type Sender, storeSnapshot } from './store.ts';

/** The four operations, written with Express and zod. */

declare global {
  namespace Express {
    interface Request {
      /** serverless-http adds it. */
      requestContext: APIGatewayEventRequestContext;
    }
  }
}

const PATH = '/rest/warehouse-control';

const senderOf = ({ requestContext }: Request): Sender => {
  const { authorizer, requestId } = requestContext;
  return { client: authorizer?.['client'], requestId };
};

const parseBody = <TSchema extends z.ZodType>(schema: TSchema, request: Request): z.output<TSchema> => {
  if (!request.is('json')) throw notJson();
  const result = schema.safeParse(request.body);
  if (!result.success) throw refusedBody(result.error);
  return result.data;
};

const app = express();
app.disable('x-powered-by');
const json = express.json({ limit: '10mb' });

app.post(`${PATH}/changes`, json, async (request, response) => {
  const { Timestamp } = parseBody(Change, request);
  await recordChange(Timestamp, senderOf(request));
  response.json({ Timestamp });
});

app.get(`${PATH}/material-codes`, async (_request, response) => {
  response.json({ MaterialCodes: await listMaterialCodes() });
});

app.get(`${PATH}/purchase-orders`, async (_request, response) => {
  response.json({ PurchaseOrders: await listPurchaseOrders() });
});

app.post(`${PATH}/material-stock-balance`, json, async (request, response) => {
  const { MaterialCodes } = parseBody(StockBalanceBatch, request);
  response.json(await storeSnapshot(MaterialCodes, senderOf(request)));
});

const onError: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = problemOf(error, senderOf(request).requestId);
  response.status(problem.status).type('application/problem+json').json(problem);
};
app.use(onError);

export const handler = serverless(app);
