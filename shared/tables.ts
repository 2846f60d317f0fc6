import { keysOf } from './object-keys.ts';

type TableDefinition = {
  partitionKey: string;
  sortKey?: string;
  /** Set if items can expire. */
  expiry?: { attribute: string };
  /** Set if the table is a list, which an admin edits and warehouses read. */
  list?: {
    command: string;
    title: string;
    /** Two codes for the examples in help texts, quoted as in a shell. */
    examples: readonly [string, string];
  };
};

type ServiceTableDefinition = TableDefinition & {
  /** The environment variable with the table's name. */
  variable: string;
  /** The environment variable has the number of days. */
  expiry?: { variable: string };
};

// Do not change a table's name or keys: the next deployment would create a new, empty table.

/** The tables that functions use. */
export const serviceTables = {
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
} as const satisfies Record<string, ServiceTableDefinition>;

export const tables = {
  ...serviceTables,
  /** What admins did. */
  AdminRecords: {
    partitionKey: 'Topic',
    sortKey: 'Id',
    expiry: { attribute: 'ExpiresAt' },
  },
} as const satisfies Record<string, TableDefinition>;

export type ServiceTable = keyof typeof serviceTables;
export const serviceTable = (name: ServiceTable): ServiceTableDefinition => serviceTables[name];

export type TableName = keyof typeof tables;
export const tableNames = keysOf(tables);

export const tableDefinition = (name: TableName): TableDefinition => tables[name];

export type ListName = {
  [Name in TableName]: (typeof tables)[Name] extends { list: object } ? Name : never;
}[TableName];
export const isList = (name: TableName): name is ListName => 'list' in tables[name];
export const listNames = tableNames.filter(isList);
