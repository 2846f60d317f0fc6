import type { OperationName } from '../../shared/operations.ts';
import { batchOf } from '../../test/support/batches.ts';

/** What a warehouse sends, and how often it is served for the measurement. */
export type Scenario = {
  name: string;
  operation: OperationName;
  /** The body of the request with this number. */
  body?: (serial: number) => string;
  /** What the list holds. */
  rows?: number;
  warmUps: number;
  runs: number;
};

export const SMALL_BATCH = 200;
export const LARGEST_BATCH = 40_000;

export const batchName = (entries: number) => `batch of ${entries.toLocaleString('en')}`;
export const listName = (list: string, rows: number) => `${rows.toLocaleString('en')} ${list}`;

const FIRST_CHANGE = Date.parse('2026-11-02T06:00:00.000Z');
const MINUTE_MS = 60_000;
const change = (serial: number) =>
  JSON.stringify({
    Timestamp: new Date(FIRST_CHANGE + serial * 15 * MINUTE_MS).toISOString().replace('.', ','),
  });

const batch = (entries: number, warmUps: number, runs: number): Scenario => {
  const body = JSON.stringify(batchOf(entries));
  return {
    name: batchName(entries),
    operation: 'post-material-stock-balance',
    body: () => body,
    warmUps,
    runs,
  };
};

const codes = (rows: number): Scenario => ({
  name: listName('material codes', rows),
  operation: 'get-material-codes',
  rows,
  warmUps: 5,
  runs: 25,
});

export const scenarios: Scenario[] = [
  { name: 'change', operation: 'post-change', body: change, warmUps: 10, runs: 40 },
  { name: 'the same change again', operation: 'post-change', body: () => change(0), warmUps: 10, runs: 40 },
  batch(1, 10, 40),
  batch(SMALL_BATCH, 10, 40),
  batch(4_000, 5, 15),
  batch(LARGEST_BATCH, 2, 7),
  codes(0),
  codes(100),
  codes(1_000),
  codes(10_000),
  {
    ...codes(1_000),
    name: listName('purchase orders', 1_000),
    operation: 'get-purchase-orders',
  },
];
