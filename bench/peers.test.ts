import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { variables } from '../shared/environment.ts';
import type { OperationName } from '../shared/operations.ts';
import { asStored, batchOf } from '../test/support/batches.ts';
import { collectLog } from '../test/support/handlers.ts';
import { rowsOf } from '../test/support/tables.ts';
import { CLIENT, eventOf, rowOf } from './harness/events.ts';
import { tablesOf } from './harness/tables.ts';

/** What ours is measured beside does the same; else the figures would say nothing. */

const modules = {
  floor: './peers/floor.ts',
  hono: './peers/hono.ts',
  express: './peers/express.ts',
  rows: './peers/rows.ts',
  ours: '../functions/post-material-stock-balance.ts',
};
type Name = keyof typeof modules;

collectLog();
beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamoDbEndpoint'));
});
afterEach(() => vi.unstubAllEnvs());

const tables = () => tablesOf(inject('dynamoDbEndpoint'));

const newTable = async (operation: OperationName, variable: string) => {
  const table = await tables().create(operation);
  vi.stubEnv(variable, table);
  return table;
};

type Answer = {
  statusCode: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
};
type Module = { handler: (event: object, context: object) => Promise<Answer> };

const ask = async (name: Name, operation: OperationName, body?: object) => {
  const { handler }: Module = await import(modules[name]);
  const event = eventOf({ operation, body: body && (() => JSON.stringify(body)) }, 1);
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
  // Hono answers with lists where the gateway sends them.
  const headers = new Headers(
    Object.entries({ ...answer.headers, ...answer.multiValueHeaders }).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  const contentType = headers.get('content-type')?.split(';')[0];
  return { status: answer.statusCode, contentType, json: JSON.parse(answer.body), event };
};

const send = (name: Name, body: object) => ask(name, 'post-material-stock-balance', body);

const BATCH = batchOf(3);

/** As an attribute holds it. */
const attributesOf = ({ StockBalance, StockBalanceUnit, PurchaseOrders }: ReturnType<typeof asStored>) => ({
  StockBalance: { N: String(StockBalance) },
  StockBalanceUnit: { S: StockBalanceUnit },
  PurchaseOrders: { L: PurchaseOrders.map((order) => ({ S: order })) },
});

describe('a batch of balances', () => {
  test.each(['floor', 'hono', 'express', 'ours'] as const)('is kept in one item by %s', async (name) => {
    const table = await newTable('post-material-stock-balance', variables.balanceSnapshotsTable);
    const { status, json, event } = await send(name, BATCH);
    expect([status, json.EntryCount]).toEqual([200, 3]);
    expect(await rowsOf(table)).toEqual([
      {
        Client: { S: CLIENT },
        SnapshotId: { S: json.SnapshotId },
        ReceivedAt: { S: json.ReceivedAt },
        RequestId: { S: event.requestContext.requestId },
        EntryCount: { N: '3' },
        // The floor knows of no parts.
        ...(name === 'floor' ? {} : { Parts: { N: '1' } }),
        Balances: {
          M: Object.fromEntries(
            BATCH.MaterialCodes.map(asStored).map((entry) => [
              entry.MaterialCode,
              { M: attributesOf(entry) },
            ]),
          ),
        },
      },
    ]);
  });

  test('is kept in a row for each material by rows', async () => {
    const table = await newTable('post-material-stock-balance', variables.balanceSnapshotsTable);
    const batch = batchOf(60);
    const { status, json, event } = await send('rows', batch);
    expect(status).toBe(200);
    const rows = await rowsOf(table);
    expect(new Map(rows.map((row) => [row['SnapshotId']?.S, row]))).toEqual(
      new Map(
        batch.MaterialCodes.map(asStored).map((entry) => {
          const key = `${json.SnapshotId}#${entry.MaterialCode}`;
          const row = {
            Client: { S: CLIENT },
            SnapshotId: { S: key },
            ReceivedAt: { S: json.ReceivedAt },
            RequestId: { S: event.requestContext.requestId },
            MaterialCode: { S: entry.MaterialCode },
            ...attributesOf(entry),
          };
          return [key, row];
        }),
      ),
    );
  });

  test.each(['hono', 'express'] as const)('past one item is kept in two by %s', async (name) => {
    const table = await newTable('post-material-stock-balance', variables.balanceSnapshotsTable);
    const { status } = await send(name, batchOf(600, '𠮷'.repeat(240)));
    expect(status).toBe(200);
    const keys = (await rowsOf(table)).map(({ Client, Parts }) => [Client?.S, Parts?.N]);
    expect(keys.toSorted()).toEqual([
      [CLIENT, '2'],
      [`${CLIENT}:2`, '2'],
    ]);
  });
});

const [entry] = BATCH.MaterialCodes;
const pointers = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

describe('a batch that breaks the rules', () => {
  test.each([
    ['in its values', [{ ...entry, StockBalance: '7', PurchaseOrders: [] }]],
    ['in what it holds', [entry, { ...entry, MaterialCode: 'A B', PurchaseOrders: ['OT0000001', 'OT1'] }]],
    ['in types', [{ ...entry, MaterialCode: 7, PurchaseOrders: ['OT0000001', 8] }]],
    ['in its fields', [{ MaterialCode: 'A', StockBalance: 1, StockBalanceUnit: 'kg', Other: 1 }]],
    ['by a repeat', [entry, entry]],
    ['by being empty', []],
  ])('%s is refused at the places that ours names', async (_, MaterialCodes) => {
    const ours = await send('ours', { MaterialCodes });
    for (const name of ['hono', 'express'] as const) {
      const { status, contentType, json } = await send(name, { MaterialCodes });
      expect([name, status, contentType]).toEqual([name, 400, 'application/problem+json']);
      expect(pointers(json.errors).toSorted()).toEqual(pointers(ours.json.errors).toSorted());
    }
  });
});

describe.each(['hono', 'express'] as const)('%s', (name) => {
  test('keeps a change once', async () => {
    const table = await newTable('post-change', variables.changeTimestampsTable);
    const change = { Timestamp: '2026-11-21T06:48:04,123Z' };
    for (const _ of ['first', 'again']) {
      const { status, json } = await ask(name, 'post-change', change);
      expect([status, json]).toEqual([200, change]);
    }
    expect(await rowsOf(table)).toHaveLength(1);
  });

  test.each([
    ['MaterialCodes', 'MaterialCode', 'get-material-codes', variables.materialCodesTable],
    ['PurchaseOrders', 'PurchaseOrder', 'get-purchase-orders', variables.purchaseOrdersTable],
  ] as const)('lists %s in the order of their keys', async (list, key, operation, variable) => {
    await tables().fill(await newTable(operation, variable), operation, 12);
    const { status, json } = await ask(name, operation);
    expect([status, Object.keys(json)]).toEqual([200, [list]]);
    const keys = Array.from({ length: 12 }, (_, index) => rowOf(operation, index)[key]?.S);
    expect(json[list].map((row: Record<string, string>) => row[key])).toEqual(keys.toSorted());
  });
});
