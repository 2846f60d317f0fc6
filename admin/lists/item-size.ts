import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { grouped } from '../cli/words.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';

/** What DynamoDB takes as one item, names included. */
const MAX_ITEM_BYTES = 409_600;

/** At most 38 digits, two to a byte, with the sign and the exponent. */
const NUMBER_BYTES = 21;
const CONTAINER_BYTES = 3;

const total = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0);

/** From above. */
const itemSize = (item: CatalogItem): number =>
  total(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return NUMBER_BYTES;
  if (value.B !== undefined) return value.B.byteLength;
  if (value.M !== undefined) return CONTAINER_BYTES + Object.keys(value.M).length + itemSize(value.M);
  if (value.L !== undefined) return CONTAINER_BYTES + total(value.L.map((part) => 1 + valueSize(part)));
  if (value.SS !== undefined) return CONTAINER_BYTES + total(value.SS.map((part) => Buffer.byteLength(part)));
  if (value.NS !== undefined) return CONTAINER_BYTES + value.NS.length * NUMBER_BYTES;
  if (value.BS !== undefined) return CONTAINER_BYTES + total(value.BS.map((part) => part.byteLength));
  return 1;
};

export const sizeFault = (item: CatalogItem) => {
  const size = itemSize(item);
  return size <= MAX_ITEM_BYTES
    ? undefined
    : `the row takes up to ${grouped(size)} bytes, and DynamoDB keeps ${grouped(MAX_ITEM_BYTES)} in one item`;
};
