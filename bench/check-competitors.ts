import assert from 'node:assert/strict';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { OperationName } from '../shared/operations.ts';
import { asStored, batchOf } from '../test/support/batches.ts';
import type { Bundler, CompetitorName } from './measure/bundles.ts';
import { environmentOf } from './measure/environment.ts';
import { BATCH_OPERATION, CLIENT, eventOf, typicalRow } from './measure/events.ts';
import { type Served, startProcess } from './measure/function-process.ts';
import { type Tables, tablesIn } from './measure/tables.ts';

/*
 * The figures are comparable only if the competitors do the same work. Each check runs the measured bundles with the
 * engine and throws at the first difference.
 */

type Name = CompetitorName | 'ours';
type Context = { bundler: Bundler; engine: string; tables: Tables };

const fileOf = ({ usual, deployed }: Bundler, name: Name, operation: OperationName) =>
  (name === 'ours' ? deployed.ours(operation) : usual.competitor(name)).file;

const send = async (
  { bundler, engine }: Context,
  { name, operation, table }: { name: Name; operation: OperationName; table: string },
  bodies: readonly unknown[],
) => {
  const process = await startProcess({
    file: fileOf(bundler, name, operation),
    environment: environmentOf({ tables: engine, table }),
  });
  const answers: ReturnType<typeof readAnswer>[] = [];
  for (const [serial, body] of bodies.entries()) {
    const event = eventOf({ operation, body: body === undefined ? undefined : JSON.stringify(body), serial });
    answers.push(readAnswer(await process.serve(event)));
  }
  await process.stop();
  return answers;
};

/** Hono answers with lists of header values. */
const readAnswer = ({ answer }: Served) => {
  const headers = new Headers(
    Object.entries({ ...answer.headers, ...answer.multiValueHeaders }).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  return {
    status: answer.statusCode,
    contentType: headers.get('content-type')?.split(';')[0],
    json: JSON.parse(answer.body),
  };
};

const only = <T>([value]: readonly T[]): T => {
  assert(value !== undefined, 'There is no answer.');
  return value;
};

const sendBatch = async (context: Context, name: Name, batch: object) => {
  const table = await context.tables.create(BATCH_OPERATION);
  const answer = only(await send(context, { name, operation: BATCH_OPERATION, table }, [batch]));
  assert.equal(answer.status, 200, `${name} refuses a valid batch.`);
  return { ...answer, items: await context.tables.readItems(table) };
};

const attributesOf = ({ StockBalance, StockBalanceUnit, PurchaseOrders }: ReturnType<typeof asStored>) => ({
  StockBalance: { N: String(StockBalance) },
  StockBalanceUnit: { S: StockBalanceUnit },
  PurchaseOrders: { L: PurchaseOrders.map((order) => ({ S: order })) },
});

const REQUEST_ID = eventOf({ operation: BATCH_OPERATION, serial: 0 }).requestContext.requestId;

const checkOneItem = async (context: Context, name: Name) => {
  const batch = batchOf(3);
  const { json, items } = await sendBatch(context, name, batch);
  assert.equal(json.EntryCount, 3);
  const balances = batch.MaterialCodes.map(asStored).map((entry): [string, AttributeValue] => [
    entry.MaterialCode,
    { M: attributesOf(entry) },
  ]);
  const expected = {
    Client: { S: CLIENT },
    SnapshotId: { S: json.SnapshotId },
    ReceivedAt: { S: json.ReceivedAt },
    RequestId: { S: REQUEST_ID },
    EntryCount: { N: '3' },
    ...(name === 'floor' ? {} : { Parts: { N: '1' } }),
    Balances: { M: Object.fromEntries(balances) },
  };
  // Only our function stores the id of the write.
  const compared = items.map(({ WriteId: _, ...item }) => item);
  assert.deepEqual(compared, [expected], `${name} does not store a batch as one item.`);
};

const checkLargeBatch = async (context: Context, name: Name) => {
  const { items } = await sendBatch(context, name, batchOf(600, '𠮷'.repeat(240)));
  const keys = items.map(({ Client, Parts }) => `${Client?.S} of ${Parts?.N}`).toSorted();
  assert.deepEqual(keys, [`${CLIENT} of 2`, `${CLIENT}:2 of 2`], `${name} splits a large batch differently.`);
};

const [validEntry] = batchOf(3).MaterialCodes;
const wrongBatches = [
  [{ ...validEntry, StockBalance: '7', PurchaseOrders: [] }],
  [validEntry, { ...validEntry, MaterialCode: 'A B', PurchaseOrders: ['OT0000001', 'OT1'] }],
  [{ ...validEntry, MaterialCode: 7, PurchaseOrders: ['OT0000001', 8] }],
  [{ MaterialCode: 'A', StockBalance: 1, StockBalanceUnit: 'kg', Other: 1 }],
  [validEntry, validEntry],
  [],
].map((MaterialCodes) => ({ MaterialCodes }));

/** Compares the status, the content type and the places of the errors, but not the messages. */
const refusalsOf = async (context: Context, name: Name) => {
  const table = await context.tables.create(BATCH_OPERATION);
  const answers = await send(context, { name, operation: BATCH_OPERATION, table }, wrongBatches);
  assert.deepEqual(await context.tables.readItems(table), [], `${name} stores a wrong batch.`);
  return answers.map(({ status, contentType, json }) => ({
    status,
    contentType,
    pointers: json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
  }));
};

const checkRefusals = async (context: Context, name: Name) => {
  const [competitor, ours] = [await refusalsOf(context, name), await refusalsOf(context, 'ours')];
  assert.deepEqual(competitor, ours, `${name} refuses wrong batches differently.`);
};

const checkChange = async (context: Context, name: Name) => {
  const operation = 'post-change';
  const table = await context.tables.create(operation);
  const change = { Timestamp: '2026-11-21T06:48:04,123Z' };
  const answers = await send(context, { name, operation, table }, [change, change]);
  const expected = { status: 200, contentType: 'application/json', json: change };
  assert.deepEqual(answers, [expected, expected], `${name} answers a repeated change differently.`);
  assert.equal((await context.tables.readItems(table)).length, 1, `${name} stores a repeated change twice.`);
};

const lists = [
  { operation: 'get-material-codes', field: 'MaterialCodes', key: 'MaterialCode' },
  { operation: 'get-purchase-orders', field: 'PurchaseOrders', key: 'PurchaseOrder' },
] as const;

const checkList = async (context: Context, name: Name, { operation, field, key }: (typeof lists)[number]) => {
  const table = await context.tables.create(operation);
  await context.tables.fill(table, 12, (index) => typicalRow(operation, index));
  const { status, json } = only(await send(context, { name, operation, table }, [undefined]));
  assert.deepEqual([status, Object.keys(json)], [200, [field]], `${name} does not answer with ${field}.`);
  const expected = Array.from({ length: 12 }, (_, index) => typicalRow(operation, index)[key]?.S).toSorted();
  const keys = json[field].map((row: Record<string, string>) => row[key]);
  // The floor does not sort.
  assert.deepEqual(name === 'floor' ? keys.toSorted() : keys, expected, `${name} lists other ${field}.`);
};

export const checkCompetitors = async (bundler: Bundler, engine: string) => {
  const context = { bundler, engine, tables: tablesIn(engine) };
  for (const name of ['floor', 'hono', 'express', 'ours'] as const) {
    await checkOneItem(context, name);
    await checkList(context, name, lists[0]);
  }
  for (const name of ['hono', 'express', 'ours'] as const) {
    await checkLargeBatch(context, name);
    await checkRefusals(context, name);
    await checkChange(context, name);
    await checkList(context, name, lists[1]);
  }
};
