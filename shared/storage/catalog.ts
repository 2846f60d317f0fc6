import { type AttributeValue, toJson, withAttributes } from './attribute-json.ts';

export type CatalogRow = { [attribute: string]: unknown };

/** A stored row as the lists show it: what names it first, then whatever else the admin put there, by name. */
export const toCatalogRow = (key: string, item: Record<string, AttributeValue>): CatalogRow =>
  withAttributes({ [key]: toJson(item[key]) }, item);
