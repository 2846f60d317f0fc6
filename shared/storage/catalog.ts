import { type CatalogName, tables } from '../tables.ts';
import { type AttributeValue, toJson, withAttributes } from './attribute-json.ts';

export type { CatalogName };

/** The key attribute of each catalog. */
export const catalogs = {
  MaterialCodes: { key: tables.MaterialCodes.partitionKey },
  PurchaseOrders: { key: tables.PurchaseOrders.partitionKey },
} as const;

export type CatalogRow = { [attribute: string]: unknown };

/** A stored row as the lists show it: what names it first, then whatever else the admin put there, by name. */
export const toCatalogRow = (key: string, item: Record<string, AttributeValue>): CatalogRow =>
  withAttributes({ [key]: toJson(item[key]) }, item);
