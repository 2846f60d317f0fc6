import { beforeAll, beforeEach, expect, test } from 'vitest';
import { largeBatch, newTimestamp, storedBatch } from '../support/batches.ts';
import { basic, type HttpResponse } from '../support/http-client.ts';
import {
  eventually,
  faultyCalls,
  forgetClients,
  injectFaults,
  type LocalRun,
  rowsOf,
} from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectOk, expectUnavailable, startWithoutCache } from './faulty-run.ts';

/*
 * What a client sees if calls to the tables fail. test/shared/storage/faults.test.ts and
 * test/functions/time-limits.test.ts have every fault and every call, in the process of the test.
 */

const action = 'dynamodb:PutItem';
const Timestamp = newTimestamp();
/** It has three parts. */
const batch = largeBatch();
/** Over 1 MB, so that the reader needs two pages. */
const MaterialCodes = ['A', 'B', 'C'].map((MaterialCode) => ({ MaterialCode, Note: 'x'.repeat(390_000) }));
const PurchaseOrders = ['OT0000001', 'OT0000002'].map((PurchaseOrder) => ({ PurchaseOrder }));

let run: LocalRun;
let tables: TableReader;
beforeAll(async () => {
  run = await startWithoutCache();
  tables = new TableReader(run.outputs());
  for (const row of MaterialCodes) await tables.put('MaterialCodes', row);
  for (const row of PurchaseOrders) await tables.put('PurchaseOrders', row);
});
beforeEach(() => injectFaults(run, {}));

const sendBatch = () => run.post('material-stock-balance', batch);

/** A request of each operation, and how many calls it makes. */
const operations = [
  { calls: 1, send: () => run.post('changes', { Timestamp }) },
  { calls: 3, send: sendBatch },
  { calls: 2, send: () => run.get('material-codes') },
  { calls: 1, send: () => run.get('purchase-orders') },
];
const sendAll = async () => {
  const responses: HttpResponse[] = [];
  for (const { send } of operations) responses.push(await send());
  return responses;
};

const expectAllDone = async (responses: HttpResponse[]) => {
  for (const response of responses) expectOk(response);
  const { length: EntryCount } = batch.MaterialCodes;
  const kept = expect.objectContaining({ EntryCount });
  expect(responses.map((response) => response.json())).toEqual([
    { Timestamp },
    kept,
    { MaterialCodes },
    { PurchaseOrders },
  ]);
  const { changes, batches } = await tables.takeAll();
  expect(changes).toEqual([{ Client: CLIENT, Timestamp }]);
  expect([...batches.values()]).toEqual([storedBatch(batch)]);
};

test('a call that fails once is retried once, and the request succeeds', async () => {
  const responses: HttpResponse[] = [];
  for (const { calls, send } of operations) {
    // The second fault would fail any call after those of the operation and its one retry.
    await injectFaults(run, {
      dynamodb: [
        { kind: 'error', times: 1 },
        { kind: 'error', after: calls },
      ],
    });
    responses.push(await send());
    expect(await faultyCalls(run)).toEqual([1, 0]);
  }
  await expectAllDone(responses);
});

test('a batch whose last call is executed, but its response is lost, is stored once, also if the client gets a 503', async () => {
  const lost = { action, kind: 'loseResponse', after: 2 } as const;
  await injectFaults(run, { dynamodb: [{ ...lost, times: 1 }] });
  expectOk(await sendBatch());
  expect((await tables.takeAll()).batches.size).toBe(1);

  await injectFaults(run, { dynamodb: [lost] });
  expectUnavailable(await sendBatch());
  await eventually(async () => (await tables.snapshotIds(CLIENT)).length > 0);
  await injectFaults(run, {});
  const again = await sendBatch();
  expectOk(again);
  const { batches } = await tables.takeAll();
  expect([...batches.keys()].toSorted().slice(1)).toEqual([again.json().SnapshotId]);
  expect([...batches.values()]).toEqual([storedBatch(batch), storedBatch(batch)]);
});

test('a call that always fails causes a 503, nothing is stored, and a second request succeeds', async () => {
  await injectFaults(run, { dynamodb: [{ kind: 'error' }] });
  for (const response of await sendAll()) expectUnavailable(response);
  expect(await tables.takeAll()).toEqual({ changes: [], batches: new Map() });
  await injectFaults(run, {});
  await expectAllDone(await sendAll());
});

test('a read of the clients that fails once is retried, and one that always fails causes a 503 in a process without a copy of them', async () => {
  const fault = { action: 'dynamodb:Scan', kind: 'disconnect' } as const;
  await forgetClients(run);
  await injectFaults(run, { clients: [{ ...fault, times: 1 }] });
  expectOk(await run.get('purchase-orders'));
  expect(await faultyCalls(run)).toEqual([1]);
  await injectFaults(run, { clients: [fault] });
  expectOk(await run.get('purchase-orders'));
  await forgetClients(run);
  for (const authorization of [run.authorization(), basic('warehouse', 'wrong'), basic('nobody', 'any')])
    expectUnavailable(await run.get('purchase-orders', authorization));
});

test('an empty table Clients causes a 503, also for a wrong password, until there is a client', async () => {
  await forgetClients(run);
  const [client = {}] = await rowsOf(run, 'Clients');
  await tables.clear('Clients');
  for (const authorization of [run.authorization(), basic('warehouse', 'wrong')])
    expectUnavailable(await run.get('purchase-orders', authorization));
  await tables.put('Clients', client);
  await forgetClients(run);
  expectOk(await run.get('purchase-orders'));
});
