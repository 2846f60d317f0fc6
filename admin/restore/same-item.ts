import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import type { Item } from '../store/scan-pages.ts';

/** Whether two values are one and the same to the table, in which a set has no order. */
export const isSameValue = (one: AttributeValue, other: AttributeValue) =>
  isDeepStrictEqual(withSortedSets(one), withSortedSets(other));

export const isSameItem = (one: Item, other: Item) => isSameValue({ M: one }, { M: other });

const withSortedSets = (value: AttributeValue): unknown => {
  if (value.SS) return { SS: value.SS.toSorted() };
  if (value.NS) return { NS: value.NS.toSorted() };
  if (value.BS) return { BS: value.BS.map((bytes) => Buffer.from(bytes).toString('base64')).sort() };
  if (value.L) return { L: value.L.map(withSortedSets) };
  if (value.M) return { M: new Map(Object.entries(value.M).map(([k, v]) => [k, withSortedSets(v)])) };
  return value;
};
