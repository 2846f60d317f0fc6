import { timestampOf } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import type { TableReader } from '../support/table-reader.ts';
import { LARGE_BATCH, SMALL_BATCH, sentEntries } from './batches.ts';
import { type Acknowledged, keyOf } from './verify.ts';

export type Request = {
  path: string;
  body?: string | Buffer;
  statuses: number[];
  /** Returns the fault of an answer with one of these statuses, and records what the answer acknowledges. */
  faultOf: (answer: Answer) => string | undefined;
};

type Row = Record<string, string | number>;

const listOf = (
  table: 'MaterialCodes' | 'PurchaseOrders',
  key: string,
  count: number,
  row: (index: number) => Row,
) => {
  const rows = Array.from({ length: count }, (_, index) => row(index));
  const sorted = rows.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));
  return { table, rows, json: JSON.stringify({ [table]: sorted }) };
};

const materialCodes = listOf('MaterialCodes', 'MaterialCode', 4_000, (index) => ({
  MaterialCode: `Сталь-ABC/${index}`,
  Name: `Лист ${index} мм`,
  Weight: index / 8,
}));

const purchaseOrders = listOf('PurchaseOrders', 'PurchaseOrder', 2_000, (index) => ({
  PurchaseOrder: `OT${String(index * 17).padStart(7, '0')}`,
  Supplier: `Уралметалл ${index % 9}`,
}));

const CONCURRENT_PUTS = 25;

export const fillLists = async (tables: TableReader) => {
  for (const { table, rows } of [materialCodes, purchaseOrders]) {
    for (let from = 0; from < rows.length; from += CONCURRENT_PUTS) {
      await Promise.all(rows.slice(from, from + CONCURRENT_PUTS).map((row) => tables.put(table, row)));
    }
  }
};

const FIRST_CHANGE = Date.UTC(2026, 2, 1);
const WRONG_ENTRY = 117;

/** Makes the next request of each kind for a client. */
export const createRequests = ({ changes, snapshots }: Acknowledged) => {
  const changeCounts = new Map<string, number>();
  let lastSerial = 0;

  const change = (client: string, increment: number): Request => {
    const count = Math.max(1, (changeCounts.get(client) ?? 0) + increment);
    changeCounts.set(client, count);
    const Timestamp = timestampOf(FIRST_CHANGE + count);
    const key = keyOf(client, Timestamp);
    return {
      path: 'changes',
      body: JSON.stringify({ Timestamp }),
      statuses: [200],
      faultOf: (answer) => {
        if (!changes.has(key)) changes.set(key, { requestId: requestIdOf(answer) });
        return answer.json().Timestamp === Timestamp ? undefined : `got ${answer.text} for ${Timestamp}`;
      },
    };
  };

  const list = (path: string, json: string): Request => ({
    path,
    statuses: [200],
    faultOf: ({ text }) => (text === json ? undefined : `got another list, of ${text.length} characters`),
  });

  const batch = (client: string, entryCount: number): Request => {
    lastSerial += 1;
    const serial = lastSerial;
    return {
      path: 'material-stock-balance',
      body: JSON.stringify({ MaterialCodes: sentEntries(entryCount, serial) }),
      statuses: [200],
      faultOf: (answer) => {
        const { SnapshotId, ReceivedAt, EntryCount } = answer.json();
        const key = keyOf(client, SnapshotId);
        if (snapshots.has(key)) return `got the snapshot ${SnapshotId} a second time`;
        snapshots.set(key, { requestId: requestIdOf(answer), receivedAt: ReceivedAt, entryCount, serial });
        return EntryCount === entryCount ? undefined : `got an EntryCount of ${EntryCount}`;
      },
    };
  };

  const refusedBatch = (): Request => ({
    path: 'material-stock-balance',
    body: JSON.stringify({
      MaterialCodes: sentEntries(SMALL_BATCH, 0).with(WRONG_ENTRY, Object({ MaterialCode: 'ABC 1' })),
    }),
    statuses: [400],
    faultOf: (answer) => {
      const { errors = [], errorCount } = answer.json();
      const isComplete = errorCount > 0 && errorCount === errors.length;
      return isComplete && errors.every(isAtWrongEntry) ? undefined : `got ${answer.text.slice(0, 300)}`;
    },
  });

  return {
    change: (client: string) => change(client, 1),
    'change again': (client: string) => change(client, 0),
    'material codes': () => list('material-codes', materialCodes.json),
    'purchase orders': () => list('purchase-orders', purchaseOrders.json),
    'batch of 200': (client: string) => batch(client, SMALL_BATCH),
    'batch of 40,000': (client: string) => batch(client, LARGE_BATCH),
    'refused batch': refusedBatch,
  };
};

export type Kind = keyof ReturnType<typeof createRequests>;

const isAtWrongEntry = ({ pointer }: { pointer: string }) =>
  pointer.startsWith(`#/MaterialCodes/${WRONG_ENTRY}/`);

const requestIdOf = ({ headers }: Answer) => String(headers['x-amzn-requestid']);
