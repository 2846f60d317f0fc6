import type { APIGatewayEventRequestContext } from 'aws-lambda';
import express, { type ErrorRequestHandler, type Request } from 'express';
import serverless from 'serverless-http';
import type * as z from 'zod';
import { notJson, problemOf, refusedBody } from './shared/problem.ts';
import { Change, StockBalanceBatch } from './shared/schemas.ts';
import { keepSnapshot, materialCodes, purchaseOrders, recordChange, type Sender } from './shared/store.ts';

/** The four operations as one writes them with Express and zod. */

declare global {
  namespace Express {
    interface Request {
      /** Put there by serverless-http. */
      requestContext: APIGatewayEventRequestContext;
    }
  }
}

const PATH = '/rest/warehouse-control';

const senderOf = ({ requestContext }: Request): Sender => {
  const { authorizer, requestId } = requestContext;
  return { client: authorizer?.['client'], requestId };
};

const checked = <TSchema extends z.ZodType>(schema: TSchema, request: Request): z.output<TSchema> => {
  if (!request.is('json')) throw notJson();
  const result = schema.safeParse(request.body);
  if (!result.success) throw refusedBody(result.error);
  return result.data;
};

const app = express();
app.disable('x-powered-by');
const json = express.json({ limit: '10mb' });

app.post(`${PATH}/changes`, json, async (request, response) => {
  const { Timestamp } = checked(Change, request);
  await recordChange(Timestamp, senderOf(request));
  response.json({ Timestamp });
});

app.get(`${PATH}/material-codes`, async (_request, response) => {
  response.json({ MaterialCodes: await materialCodes() });
});

app.get(`${PATH}/purchase-orders`, async (_request, response) => {
  response.json({ PurchaseOrders: await purchaseOrders() });
});

app.post(`${PATH}/material-stock-balance`, json, async (request, response) => {
  const { MaterialCodes } = checked(StockBalanceBatch, request);
  response.json(await keepSnapshot(MaterialCodes, senderOf(request)));
});

const onError: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = problemOf(error, senderOf(request).requestId);
  response.status(problem.status).type('application/problem+json').json(problem);
};
app.use(onError);

export const handler = serverless(app);
