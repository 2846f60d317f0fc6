import { expect } from 'vitest';
import { fourParts, newTimestamp, storedBatch } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { eventually, type LocalRun } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectOk } from './faulty-run.ts';

/** One operation under test: its calls to the tables, a request, and what must be true after each answer. */
export type Operation = {
  action: 'dynamodb:PutItem' | 'dynamodb:Scan';
  /** The most calls that one request makes. */
  calls: number;
  /** A new request, which can be sent more than once. */
  request(): {
    send(): Promise<Answer>;
    /** After a 200, the whole request is in the table. */
    expectDone(answer: Answer): Promise<void>;
    /** After a 503, nothing is in the table, or the whole request if the last call was executed without an answer. */
    expectRefused(isExecuted: boolean): Promise<void>;
  };
};

const change = (run: LocalRun, tables: TableReader): Operation => {
  const request = () => {
    const Timestamp = newTimestamp();
    const stored = async () => (await tables.changes()).filter((change) => change.Timestamp === Timestamp);
    return {
      send: () => run.post('changes', { Timestamp }),
      expectDone: async (answer: Answer) => {
        expectOk(answer);
        expect(answer.json()).toEqual({ Timestamp });
        expect(await stored()).toEqual([{ Client: CLIENT, Timestamp }]);
      },
      expectRefused: async (isExecuted: boolean) => {
        if (isExecuted) await eventually(async () => (await stored()).length > 0);
        expect(await stored()).toEqual(isExecuted ? [{ Client: CLIENT, Timestamp }] : []);
      },
    };
  };
  return { action: 'dynamodb:PutItem', calls: 1, request };
};

const batch = fourParts();
const batchAsSent = JSON.stringify(batch);
const batchAsStored = storedBatch(batch);

const stockBalances = (run: LocalRun, tables: TableReader): Operation => {
  // Ids sort by time of receipt, so an unknown snapshot would come after this one.
  let newest: string | undefined;
  const unknownIds = () => tables.snapshotIds(CLIENT, newest);
  const request = () => ({
    send: () => run.post('material-stock-balance', batchAsSent),
    expectDone: async (answer: Answer) => {
      expectOk(answer);
      const { SnapshotId, EntryCount } = answer.json();
      expect(EntryCount).toBe(batchAsStored.length);
      expect(await tables.batch(CLIENT, SnapshotId)).toEqual(batchAsStored);
      expect(await unknownIds()).toEqual([SnapshotId]);
      newest = SnapshotId;
    },
    expectRefused: async (isExecuted: boolean) => {
      if (isExecuted) await eventually(async () => (await unknownIds()).length > 0);
      const ids = await unknownIds();
      expect(ids).toHaveLength(isExecuted ? 1 : 0);
      for (const id of ids) {
        expect(await tables.batch(CLIENT, id)).toEqual(batchAsStored);
        newest = id;
      }
    },
  });
  return { action: 'dynamodb:PutItem', calls: 4, request };
};

const list = (run: LocalRun, path: string, calls: number, expected: object): Operation => {
  const request = () => ({
    send: () => run.get(path),
    expectDone: async (answer: Answer) => {
      expectOk(answer);
      expect(answer.json()).toEqual(expected);
    },
    expectRefused: async () => {},
  });
  return { action: 'dynamodb:Scan', calls, request };
};

const purchaseOrders = async (run: LocalRun, tables: TableReader) => {
  const PurchaseOrders = Array.from({ length: 20 }, (_, index) => ({
    PurchaseOrder: `OT${1_000_000 + index}`,
  }));
  await Promise.all(PurchaseOrders.map((order) => tables.put('PurchaseOrders', order)));
  return list(run, 'purchase-orders', 1, { PurchaseOrders });
};

/** Over 1 MB, so that the reader needs two pages. */
const materialCodes = async (run: LocalRun, tables: TableReader) => {
  const MaterialCodes = ['A', 'B', 'C', 'D'].map((MaterialCode) => ({
    MaterialCode,
    Note: 'x'.repeat(390_000),
  }));
  await Promise.all(MaterialCodes.map((row) => tables.put('MaterialCodes', row)));
  return list(run, 'material-codes', 2, { MaterialCodes });
};

export const operationsOf = async (run: LocalRun): Promise<Operation[]> => {
  const tables = new TableReader(run.outputs());
  return [
    change(run, tables),
    stockBalances(run, tables),
    await materialCodes(run, tables),
    await purchaseOrders(run, tables),
  ];
};

/** Disturbances count calls by action, so only operations with different actions can share a round. */
export const roundsOf = (operations: Operation[]) => {
  const groups = [...Map.groupBy(operations, ({ action }) => action).values()];
  const length = Math.max(...groups.map((group) => group.length));
  return Array.from({ length }, (_, place) => groups.flatMap((group) => group.slice(place, place + 1)));
};
