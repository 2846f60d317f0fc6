/** The four tables of a deployment; their outputs, alarms and prices come in this order. */
export const tableNames = [
  'MaterialCodes',
  'PurchaseOrders',
  'ChangeTimestamps',
  'BalanceSnapshots',
] as const;

export type TableName = (typeof tableNames)[number];

/** What is made of each table. Object.fromEntries would forget which names there are. */
export const forEachTable = <T>(make: (table: TableName) => T): Record<TableName, T> => ({
  MaterialCodes: make('MaterialCodes'),
  PurchaseOrders: make('PurchaseOrders'),
  ChangeTimestamps: make('ChangeTimestamps'),
  BalanceSnapshots: make('BalanceSnapshots'),
});
