import { keysOf } from './records.ts';
import type { TableName } from './tables.ts';

/** Everything is served below this path, under the base URL of the deployment. */
const PATH_PREFIX = '/rest/warehouse-control';

type OperationDefinition = {
  method: 'GET' | 'POST';
  path: string;
  /** The names of the schemas in the API document. A GET has no body. */
  body?: 'Change' | 'StockBalanceBatch';
  answer: string;
  /** The only table that its function may use, and its only action there. */
  table: TableName;
  action: 'PutItem' | 'Scan';
  /** What people suffer while the operation fails, for alarm texts. */
  impact: string;
  /** For the API document. */
  tag: 'Changes' | 'Lists' | 'Stock balances';
  summary: string;
  description: string;
};

/** All data of an operation, by the name of the file in functions/ that serves it. */
export const operations = {
  'post-change': {
    method: 'POST',
    path: `${PATH_PREFIX}/changes`,
    body: 'Change',
    answer: 'ChangeAnswer',
    table: 'ChangeTimestamps',
    action: 'PutItem',
    impact: 'Warehouses cannot report changes.',
    tag: 'Changes',
    summary: 'Report a change',
    description:
      'Kept once per client and Timestamp. Sent again, it changes nothing and is answered the same, so that repeating it is always safe.',
  },
  'get-material-codes': {
    method: 'GET',
    path: `${PATH_PREFIX}/material-codes`,
    answer: 'MaterialCodesAnswer',
    table: 'MaterialCodes',
    action: 'Scan',
    impact: 'Warehouses do not get the material codes and go on with old ones.',
    tag: 'Lists',
    summary: 'Read the material codes',
    description:
      'Every code, sorted, with whatever further attributes an admin stored with it. Takes no parameters and no body.',
  },
  'get-purchase-orders': {
    method: 'GET',
    path: `${PATH_PREFIX}/purchase-orders`,
    answer: 'PurchaseOrdersAnswer',
    table: 'PurchaseOrders',
    action: 'Scan',
    impact: 'Warehouses do not get the purchase orders and go on with old ones.',
    tag: 'Lists',
    summary: 'Read the purchase orders',
    description:
      'Every purchase order, sorted, with whatever further attributes an admin stored with it. Takes no parameters and no body.',
  },
  'post-material-stock-balance': {
    method: 'POST',
    path: `${PATH_PREFIX}/material-stock-balance`,
    body: 'StockBalanceBatch',
    answer: 'SnapshotAnswer',
    table: 'BalanceSnapshots',
    action: 'PutItem',
    impact: 'Warehouses cannot submit balances, and people who read the tables see old ones.',
    tag: 'Stock balances',
    summary: 'Submit stock balances',
    description:
      'One entry per material, kept whole as one snapshot, or refused whole with every fault named. Sent again, it is one more snapshot of the same content; nothing earlier is changed.',
  },
} as const satisfies Record<string, OperationDefinition>;

export type OperationName = keyof typeof operations;
export const operationNames = keysOf(operations);

/** The definition of an operation, with its optional parts. */
export const operationDefinition = (name: OperationName): OperationDefinition => operations[name];
