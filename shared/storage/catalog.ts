import { type AttributeValue, toJson, withAttributes } from './attribute-json.ts';

/** The two lists that admins fill and warehouses read, by the attribute that names a row. */
export const catalogs = {
  MaterialCodes: { key: 'MaterialCode' },
  PurchaseOrders: { key: 'PurchaseOrder' },
} as const;

export type CatalogName = keyof typeof catalogs;

export type CatalogRow = { [attribute: string]: unknown };

/** A stored row as the lists show it: what names it first, then whatever else the admin put there, by name. */
export const toCatalogRow = (key: string, item: Record<string, AttributeValue>): CatalogRow =>
  withAttributes({ [key]: toJson(item[key]) }, item);
