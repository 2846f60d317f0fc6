import { keysOf } from './object-keys.ts';

type TableDefinition = {
  partitionKey: string;
  sortKey?: string;
  /** The environment variable with the table's name. */
  variable: string;
  /** Set if items can expire. The environment variable has the number of days. */
  expiry?: { attribute: string; variable: string };
  /** Set if the table is a list, which an admin edits and warehouses read. */
  list?: {
    command: string;
    title: string;
    /** Two codes for the examples in help texts, quoted as in a shell. */
    examples: readonly [string, string];
  };
};

/** Do not change a table's name or keys: the next deployment would create a new, empty table. */
export const tables = {
  MaterialCodes: {
    partitionKey: 'MaterialCode',
    variable: 'MATERIAL_CODES_TABLE',
    list: { command: 'codes', title: 'material codes', examples: ['STEEL-10', '"Сталь-10/А"'] },
  },
  PurchaseOrders: {
    partitionKey: 'PurchaseOrder',
    variable: 'PURCHASE_ORDERS_TABLE',
    list: { command: 'orders', title: 'purchase orders', examples: ['OT1234567', 'OT1234568'] },
  },
  ChangeTimestamps: {
    partitionKey: 'Client',
    sortKey: 'Timestamp',
    variable: 'CHANGE_TIMESTAMPS_TABLE',
  },
  BalanceSnapshots: {
    partitionKey: 'Client',
    sortKey: 'SnapshotId',
    variable: 'BALANCE_SNAPSHOTS_TABLE',
    expiry: { attribute: 'ExpiresAt', variable: 'SNAPSHOT_RETENTION_DAYS' },
  },
  Clients: {
    partitionKey: 'Client',
    variable: 'CLIENTS_TABLE',
  },
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof tables;
export const tableNames = keysOf(tables);

export const tableDefinition = (name: TableName): TableDefinition => tables[name];

export type ListName = {
  [Name in TableName]: (typeof tables)[Name] extends { list: object } ? Name : never;
}[TableName];
export const isList = (name: TableName): name is ListName => 'list' in tables[name];
export const listNames = tableNames.filter(isList);
