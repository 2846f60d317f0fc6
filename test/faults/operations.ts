import { expect } from 'vitest';
import { type batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { eventually, type LocalRun } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectOk } from './faulty-run.ts';

/** One operation under test: its calls to the tables, a request, and what must be true after each response. */
export type Operation = {
  action: 'dynamodb:PutItem' | 'dynamodb:Scan';
  /** The most calls that one request makes. */
  calls: number;
  /** A new request, which can be sent more than once. */
  request(): {
    send(): Promise<HttpResponse>;
    /** After a 200, the whole request is in the table. */
    expectDone(response: HttpResponse): Promise<void>;
    /** After a 503, nothing is in the table. If the last call was executed without a response, the whole request is. */
    expectRefused(isExecuted: boolean): Promise<void>;
  };
};

const change = (run: LocalRun, tables: TableReader): Operation => {
  const request = () => {
    const Timestamp = newTimestamp();
    const stored = async () => (await tables.changes()).filter((change) => change.Timestamp === Timestamp);
    return {
      send: () => run.post('changes', { Timestamp }),
      expectDone: async (response: HttpResponse) => {
        expectOk(response);
        expect(response.json()).toEqual({ Timestamp });
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

/** A batch, and how many parts it is stored in. */
export type LargeBatch = { body: ReturnType<typeof batchOf>; parts: number };

const stockBalances = (run: LocalRun, tables: TableReader, { body, parts }: LargeBatch): Operation => {
  const batchAsSent = JSON.stringify(body);
  const batchAsStored = storedBatch(body);
  // Ids sort by time of receipt, so an unknown snapshot would come after the newest known snapshot.
  let newest: string | undefined;
  const unknownIds = () => tables.snapshotIds(CLIENT, newest);
  const request = () => ({
    send: () => run.post('material-stock-balance', batchAsSent),
    expectDone: async (response: HttpResponse) => {
      expectOk(response);
      const { SnapshotId, EntryCount } = response.json();
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
  return { action: 'dynamodb:PutItem', calls: parts, request };
};

type List = 'MaterialCodes' | 'PurchaseOrders';
const list = async (run: LocalRun, tables: TableReader, name: List, calls: number, rows: object[]) => {
  await Promise.all(rows.map((row) => tables.put(name, { ...row })));
  const request = () => ({
    send: () => run.get(name === 'MaterialCodes' ? 'material-codes' : 'purchase-orders'),
    expectDone: async (response: HttpResponse) => {
      expectOk(response);
      expect(response.json()).toEqual({ [name]: rows });
    },
    expectRefused: async () => {},
  });
  return { action: 'dynamodb:Scan', calls, request } as const;
};

/** Over 1 MB, so that the reader needs two pages. */
const codes = ['A', 'B', 'C'].map((MaterialCode) => ({ MaterialCode, Note: 'x'.repeat(390_000) }));
const orders = ['OT0000001', 'OT0000002'].map((PurchaseOrder) => ({ PurchaseOrder }));

export const operationsOf = async (run: LocalRun, batch: LargeBatch): Promise<Operation[]> => {
  const tables = new TableReader(run.outputs());
  return [
    change(run, tables),
    stockBalances(run, tables, batch),
    await list(run, tables, 'MaterialCodes', 2, codes),
    await list(run, tables, 'PurchaseOrders', 1, orders),
  ];
};
