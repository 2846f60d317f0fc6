import { keysOf } from './object-keys.ts';
import type { ServiceTable } from './tables.ts';

const PATH_PREFIX = '/rest/warehouse-control';

type OperationDefinition = {
  method: 'GET' | 'POST';
  path: string;
  body?: 'Change' | 'StockBalanceBatch';
  response: string;
  /** The function may do this action on this table. Apart from that, it may only write its log. */
  table: ServiceTable;
  action: 'PutItem' | 'Scan';
  /** For alarm texts: what people notice while the operation fails. */
  impact: string;
  tag: 'Changes' | 'Lists' | 'Stock balances';
  summary: string;
  description: string;
};

/** Each key is the name of a file in functions/. */
export const operations = {
  'post-change': {
    method: 'POST',
    path: `${PATH_PREFIX}/changes`,
    body: 'Change',
    response: 'ChangeResponse',
    table: 'ChangeTimestamps',
    action: 'PutItem',
    impact: 'Warehouses cannot send changes.',
    tag: 'Changes',
    summary: 'Send a change',
    description:
      'Stored once per client and Timestamp. A repeated change has no effect and gets the same response, so a retry is always safe.',
  },
  'get-material-codes': {
    method: 'GET',
    path: `${PATH_PREFIX}/material-codes`,
    response: 'MaterialCodesResponse',
    table: 'MaterialCodes',
    action: 'Scan',
    impact: 'Warehouses do not get the material codes and go on with old codes.',
    tag: 'Lists',
    summary: 'Read the material codes',
    description:
      'Every code, sorted, with all other attributes that an admin stored. There are no parameters and no body.',
  },
  'get-purchase-orders': {
    method: 'GET',
    path: `${PATH_PREFIX}/purchase-orders`,
    response: 'PurchaseOrdersResponse',
    table: 'PurchaseOrders',
    action: 'Scan',
    impact: 'Warehouses do not get the purchase orders and go on with old orders.',
    tag: 'Lists',
    summary: 'Read the purchase orders',
    description:
      'Every purchase order, sorted, with all other attributes that an admin stored. There are no parameters and no body.',
  },
  'post-material-stock-balance': {
    method: 'POST',
    path: `${PATH_PREFIX}/material-stock-balance`,
    body: 'StockBalanceBatch',
    response: 'SnapshotResponse',
    table: 'BalanceSnapshots',
    action: 'PutItem',
    impact: 'Warehouses cannot send balances, and people who read the tables see old balances.',
    tag: 'Stock balances',
    summary: 'Send stock balances',
    description:
      'One entry per material. The whole batch is stored as one snapshot, or refused with all of its errors. A repeated batch becomes one more snapshot, and earlier snapshots never change.',
  },
} as const satisfies Record<string, OperationDefinition>;

export type OperationName = keyof typeof operations;
export const operationNames = keysOf(operations);

export const operationDefinition = (name: OperationName): OperationDefinition => operations[name];
