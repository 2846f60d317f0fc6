import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import * as v from 'valibot';
import { plainBatch } from '../../../../shared/plain-batch.ts';
import { type SnapshotItem, toSnapshotItems } from '../../../../shared/snapshot.ts';
import { StockBalanceBatch } from '../../../../shared/stock-balance.ts';
import { storeClient } from '../../../../shared/store/client.ts';
import { compiled } from './compiled.ts';

/** The steps of a batch through its function, each in our way, which is the first, and in those that were tried. */

type Ways<TInput, TResult> = Record<string, (input: TInput) => TResult>;

export const OURS = 'ours';

const parser = httpJsonBodyParser();
const eventWith = (body: string) => ({ headers: { 'content-type': 'application/json' }, body });

export const parse = {
  [OURS]: (text) => JSON.parse(text),
  "middy's body parser": (text) => {
    const event = eventWith(text);
    Reflect.apply(Object(parser).before, undefined, [{ event }]);
    return event.body;
  },
} satisfies Ways<string, unknown>;

const isTaken = compiled(StockBalanceBatch);

export const validate = {
  [OURS]: plainBatch,
  'the schema': (body) => v.safeParse(StockBalanceBatch, body, { abortEarly: true }).output,
  'functions made of the schema': (body) => isTaken(body),
} satisfies Ways<unknown, unknown>;

type Batch = v.InferOutput<typeof StockBalanceBatch>;

export const head = {
  client: 'warehouse-07',
  snapshotId: '2026-11-21T10:31:50.217Z-0123456789ab',
  receivedAt: new Date('2026-11-21T10:31:50.217Z'),
  requestId: '8f1c2a5e-3b7d-4e90-a6c4-000000000000',
};

export const convert = {
  [OURS]: ({ MaterialCodes: entries }) => toSnapshotItems({ ...head, entries }),
  'the document client': ({ MaterialCodes }) =>
    marshall({
      Balances: new Map(MaterialCodes.map(({ MaterialCode, ...balance }) => [MaterialCode, balance])),
    }),
} satisfies Ways<Batch, unknown>;

/** Ends with the signature: what is left of sending is what the SDK does on this side. */
const withoutNetwork = (client: DynamoDBClient) => {
  client.middlewareStack.add(() => async () => ({ output: { $metadata: {} }, response: {} }), {
    step: 'finalizeRequest',
    priority: 'low',
  });
  return client;
};

const put = (client: DynamoDBClient) => async (items: SnapshotItem[]) => {
  for (const Item of items) await client.send(new PutItemCommand({ TableName: 'table', Item }));
};

export const send = {
  [OURS]: put(withoutNetwork(storeClient())),
  "with the SDK's log": put(withoutNetwork(new DynamoDBClient({}))),
} satisfies Ways<SnapshotItem[], Promise<void>>;
