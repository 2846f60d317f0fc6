import { okResponse } from '../../../shared/http/http-response.ts';
import { MAX_FUNCTION_RESPONSE_BYTES } from '../../../shared/limits.ts';
import {
  type AttributeValue,
  type Item,
  type ListRow,
  toListRow,
} from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import { formatNumber } from '../../text/words.ts';

/** DynamoDB's limit, names included. */
const MAX_ITEM_BYTES = 409_600;

/** The largest number has 38 digits in 19 bytes, a minus in one byte, and an exponent in one byte. */
const NUMBER_BYTES = 21;
const CONTAINER_BYTES = 3;

const total = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0);

/** An upper bound of the item's size in DynamoDB. */
const itemSize = (item: Item): number =>
  total(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return NUMBER_BYTES;
  if (value.B !== undefined) return value.B.byteLength;
  if (value.M !== undefined) return CONTAINER_BYTES + Object.keys(value.M).length + itemSize(value.M);
  if (value.L !== undefined) return CONTAINER_BYTES + total(value.L.map((member) => 1 + valueSize(member)));
  if (value.SS !== undefined)
    return CONTAINER_BYTES + total(value.SS.map((member) => Buffer.byteLength(member)));
  if (value.NS !== undefined) return CONTAINER_BYTES + value.NS.length * NUMBER_BYTES;
  if (value.BS !== undefined) return CONTAINER_BYTES + total(value.BS.map((member) => member.byteLength));
  return 1;
};

export const itemSizeIssue = (item: Item) => {
  const size = itemSize(item);
  return size <= MAX_ITEM_BYTES
    ? undefined
    : `the row has up to ${formatNumber(size)} bytes, but DynamoDB keeps at most ${formatNumber(MAX_ITEM_BYTES)} in one item`;
};

/** An import stops reading when the rows need this many times the limit of a response. */
const FAR_TOO_LARGE = 4;

/** Counts the bytes of the API's response row by row. */
export const responseMeter = (name: ListName) => {
  let bytes = Buffer.byteLength(JSON.stringify(okResponse({ [name]: [] })));
  let rows = 0;
  return {
    count: (row: ListRow) => {
      // Lambda gets the response as a string in JSON, so each row is escaped twice. The string's two quotation marks do
      // not count, but the comma before each later row does.
      bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(row))) - 2 + (rows > 0 ? 1 : 0);
      rows += 1;
    },
    isTooLarge: () => bytes > MAX_FUNCTION_RESPONSE_BYTES,
    isFarTooLarge: () => bytes > FAR_TOO_LARGE * MAX_FUNCTION_RESPONSE_BYTES,
    describeExcess: (beginning: string, areAllCounted = true) => {
      const fitting = Math.floor((rows * MAX_FUNCTION_RESPONSE_BYTES) / bytes);
      const rowCount = areAllCounted ? formatNumber(rows) : `first ${formatNumber(rows)}`;
      return `${beginning}: its ${rowCount} rows need ${formatNumber(bytes)} bytes of a response, but a response has at most ${formatNumber(MAX_FUNCTION_RESPONSE_BYTES)}. About ${formatNumber(fitting)} such rows fit in ${name}.`;
    },
  };
};

/** Says why a list is too long for the API's response. Undefined if the list fits. */
export const listSizeIssue = (name: ListName, items: readonly Item[]): string | undefined => {
  const meter = responseMeter(name);
  for (const item of items) meter.count(toListRow(tables[name].partitionKey, item));
  return meter.isTooLarge() ? meter.describeExcess('The list would be too long for the API') : undefined;
};

export const sizeFailure = (issue: string) => new Failure(`${issue} Nothing was written.`);
