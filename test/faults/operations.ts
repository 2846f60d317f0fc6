import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { asStored, batchOf } from '../support/batches.ts';
import { eventually, type LocalRun } from '../support/local-run.ts';
import { type Answer, byCode, type Disturbance, expectOk, get, post, readersOf } from './faulty-run.ts';

/** One operation under test: what it asks of the tables, how it is called, and what has to be true after each answer. */
export type Operation = {
  action: 'dynamodb:PutItem' | 'dynamodb:Scan';
  /** The calls that one request makes of the tables. */
  calls: number;
  /** Sends a request of its own, which can be sent again. */
  request(): {
    send(): Promise<Answer>;
    /** After a 200: all of it is there. */
    expectDone(answer: Answer): Promise<void>;
    /** After a refusal: there is nothing of it, or all of it where the last call was taken and its answer did not come. */
    expectRefused(isTaken: boolean): Promise<void>;
  };
};

let milliseconds = 0;
const newTimestamp = () => {
  milliseconds += 1;
  return `2026-03-01T08:15:30,${String(milliseconds).padStart(3, '0')}Z`;
};

const change = (run: LocalRun): Operation => {
  const { changes } = readersOf(run);
  const request = () => {
    const Timestamp = newTimestamp();
    const stored = async () => (await changes()).filter((each) => each === Timestamp);
    return {
      send: () => post(run, 'changes', { Timestamp }),
      expectDone: async (answer: Answer) => {
        expectOk(answer);
        expect(answer.json()).toEqual({ Timestamp });
        expect(await stored()).toEqual([Timestamp]);
      },
      expectRefused: async (isTaken: boolean) => {
        if (isTaken) await eventually(async () => (await stored()).length > 0);
        expect(await stored()).toEqual(isTaken ? [Timestamp] : []);
      },
    };
  };
  return { action: 'dynamodb:PutItem', calls: 1, request };
};

/** Four parts, of as few entries as make so many. */
const batch = batchOf(1_500, '鋼'.repeat(235));
const batchAsSent = JSON.stringify(batch);
const batchAsStored = batch.MaterialCodes.map(asStored).toSorted(byCode);

const stockBalances = (run: LocalRun): Operation => {
  const { snapshotIds, entries } = readersOf(run);
  // Ids sort by time of receipt: what no client has been told of would come after this one.
  let newest: string | undefined;
  const request = () => ({
    send: () => post(run, 'material-stock-balance', batchAsSent),
    expectDone: async (answer: Answer) => {
      expectOk(answer);
      const { SnapshotId, EntryCount } = answer.json();
      expect(EntryCount).toBe(batchAsStored.length);
      expect(await entries(SnapshotId)).toEqual(batchAsStored);
      expect(await snapshotIds(newest)).toEqual([SnapshotId]);
      newest = SnapshotId;
    },
    expectRefused: async (isTaken: boolean) => {
      if (isTaken) await eventually(async () => (await snapshotIds(newest)).length > 0);
      const ids = await snapshotIds(newest);
      expect(ids).toHaveLength(isTaken ? 1 : 0);
      for (const id of ids) {
        expect(await entries(id)).toEqual(batchAsStored);
        newest = id;
      }
    },
  });
  return { action: 'dynamodb:PutItem', calls: 4, request };
};

const list = (run: LocalRun, path: string, calls: number, expected: object): Operation => {
  const request = () => ({
    send: () => get(run, path),
    expectDone: async (answer: Answer) => {
      expectOk(answer);
      expect(answer.json()).toEqual(expected);
    },
    expectRefused: async () => {},
  });
  return { action: 'dynamodb:Scan', calls, request };
};

const purchaseOrders = async (run: LocalRun) => {
  const PurchaseOrders = Array.from({ length: 20 }, (_, index) => ({
    PurchaseOrder: `OT${1_000_000 + index}`,
  }));
  const TableName = run.outputs().Tables['PurchaseOrders'] ?? '';
  const requests = PurchaseOrders.map((Item) => ({ PutRequest: { Item } }));
  const write = new BatchWriteCommand({ RequestItems: { [TableName]: requests } });
  await DynamoDBDocumentClient.from(readersOf(run).client).send(write);
  return list(run, 'purchase-orders', 4, { PurchaseOrders });
};

/** Of the four segments of a scan, the first holds over 1 MB, and so takes a second page. */
const materialCodes = async (run: LocalRun) => {
  const { client } = readersOf(run);
  const TableName = run.outputs().Tables['MaterialCodes'] ?? '';
  const documents = DynamoDBDocumentClient.from(client);
  const put = (Item: { MaterialCode: string; Note?: string }) =>
    documents.send(new PutCommand({ TableName, Item }));
  const codes = Array.from({ length: 24 }, (_, index) => `ABC-${String(index).padStart(2, '0')}`);
  await Promise.all(codes.map((MaterialCode) => put({ MaterialCode })));
  const segment = new ScanCommand({ TableName, Segment: 0, TotalSegments: 4, Limit: 4 });
  const { Items = [] } = await client.send(segment);
  const long = new Set(Items.map(({ MaterialCode }) => MaterialCode?.S));
  if (long.size < 4) throw new Error('The first segment has too few codes.');
  const rows = codes.map((MaterialCode) =>
    long.has(MaterialCode) ? { MaterialCode, Note: 'x'.repeat(280_000) } : { MaterialCode },
  );
  await Promise.all(rows.map(put));
  return list(run, 'material-codes', 5, { MaterialCodes: rows });
};

/** How many calls may pass before one is disturbed: fewer than the longest of the operations makes. */
export const places = [0, 1, 2, 3, 4];

export const operationsOf = async (run: LocalRun): Promise<Operation[]> => [
  change(run),
  stockBalances(run),
  await materialCodes(run),
  await purchaseOrders(run),
];

/** What happens to a call, and whether the table takes it although its answer does not come in time. */
export const faults = {
  throttled: { kind: 'throttle', isTaken: false },
  'answered with a 5xx': { kind: 'error', isTaken: false },
  cut: { kind: 'cut', isTaken: false },
  'answered in vain': { kind: 'lose', isTaken: true },
  // Past the five seconds for which the store waits.
  'answered too late': { kind: 'delay', delayMs: 5_500, isTaken: true },
} as const;
export type Fault = (typeof faults)[keyof typeof faults];

export const disturbanceOf = (
  { isTaken: _, ...fault }: Fault,
  action: string,
  after: number,
): Disturbance => ({
  ...fault,
  action,
  after,
});

/** Within a run one disturbance follows the other. */
export const IN_TURN = { concurrent: false };
