import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import * as v from 'valibot';
import { readJsonBody } from '../../../functions/http/json-body.ts';
import { storeClient } from '../../../functions/store/client.ts';
import { StockBalanceBatch, type StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { validate as validateBody } from '../../../shared/schemas/validate.ts';
import { toJson } from '../../../shared/storage/attribute-json.ts';
import { toCatalogRow } from '../../../shared/storage/catalog.ts';
import { type SnapshotItem, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { compiled } from './compiled.ts';

/** The steps of a request through its function, each in our way, which is the first, and in those that were tried. */

type Ways<TInput, TResult> = Record<string, (input: TInput) => TResult>;

export const OURS = 'ours';

/** What a middleware makes of a body. */
const parsedBy =
  ({ before }: { before?: unknown }) =>
  async (body: string): Promise<unknown> => {
    const event = { headers: { 'content-type': 'application/json' }, body };
    if (typeof before === 'function') await before({ event });
    return event.body;
  };

export const parse = {
  [OURS]: parsedBy(readJsonBody()),
  "middy's body parser": parsedBy(httpJsonBodyParser()),
} satisfies Ways<string, Promise<unknown>>;

const isTaken = compiled(StockBalanceBatch);

export const validate = {
  [OURS]: (body) => validateBody(StockBalanceBatch, body).output,
  'the schema': (body) => {
    const { success, output } = v.safeParse(StockBalanceBatch, body, { abortEarly: true });
    return success ? output : undefined;
  },
  'functions made of the schema': (body) => isTaken(body),
} satisfies Ways<unknown, unknown>;

type Batch = v.InferOutput<typeof StockBalanceBatch>;

export const head = {
  client: 'warehouse-07',
  snapshotId: '2026-11-21T10:31:50.217Z-0123456789ab',
  receivedAt: new Date('2026-11-21T10:31:50.217Z'),
  requestId: '8f1c2a5e-3b7d-4e90-a6c4-000000000000',
};

const pairOf = ({ MaterialCode, StockBalance, StockBalanceUnit, PurchaseOrders }: StockBalanceEntry) => [
  MaterialCode,
  {
    M: {
      StockBalance: { N: String(StockBalance) },
      StockBalanceUnit: { S: StockBalanceUnit },
      PurchaseOrders: { L: PurchaseOrders.map((order) => ({ S: order })) },
    },
  },
];

export const convert = {
  [OURS]: ({ MaterialCodes: entries }) => toSnapshotItems({ ...head, entries }),
  'an object of pairs': ({ MaterialCodes }) => Object.fromEntries(MaterialCodes.map(pairOf)),
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

type Row = Record<string, AttributeValue>;
const KEY = 'MaterialCode';

export const list = {
  [OURS]: (rows) => rows.map((row) => toCatalogRow(KEY, row)),
  'objects of pairs': (rows) =>
    rows.map((row) => {
      const names = [KEY, ...Object.keys(row).sort()];
      return Object.fromEntries(names.map((name) => [name, toJson(row[name])]));
    }),
} satisfies Ways<Row[], unknown>;
