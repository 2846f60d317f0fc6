import { type DynamoDBClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { AnswerTooLarge } from '../../shared/schemas/http-answer.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogRow, toCatalogRow } from '../../shared/storage/attribute-json.ts';
import { runConcurrently } from '../../shared/storage/concurrency.ts';
import { retryWhileThrottled, SMALL_CALL_ATTEMPTS } from '../../shared/storage/retry-while-throttled.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';

/** `leftOutCount` is the number of rows that lost an attribute. Undefined if there are none. */
export type CatalogList = { rows: CatalogRow[]; leftOutCount?: number };

export type Catalog = { list(signal: AbortSignal): Promise<CatalogList> };

/** A page of a scan has 1 MB, and a full list has about six pages. */
const SEGMENTS = 4;

/** Three times the size of the largest answer. Reading more would fill the memory. */
const MAX_FULL_PAGES = 18;

type Item = Record<string, AttributeValue>;
type ScanPosition = Pick<ScanCommandInput, 'Segment' | 'TotalSegments' | 'ExclusiveStartKey'>;

type CatalogReaderOptions = { segments?: number; startsInSegments?: boolean };

export const catalogReader = (
  client: DynamoDBClient,
  name: CatalogName,
  table: string,
  { segments = SEGMENTS, startsInSegments = false }: CatalogReaderOptions = {},
): Catalog => {
  const { partitionKey: key } = tables[name];

  const scan = (position: ScanPosition, signal: AbortSignal) => {
    const command = new ScanCommand({ TableName: table, ConsistentRead: true, ...position });
    const send = () => client.send(command, { abortSignal: signal });
    return retryWhileThrottled(send, signal, SMALL_CALL_ATTEMPTS);
  };

  /** Most tables fit one call. After a call that does not read the whole table, every read is in segments. */
  let isLarge = startsInSegments;
  const readInOneCall = async (signal: AbortSignal): Promise<Item[] | undefined> => {
    const { Items = [], LastEvaluatedKey } = await scan({}, signal);
    isLarge = LastEvaluatedKey !== undefined;
    return isLarge ? undefined : Items;
  };

  const scanSegment = async (segment: number, countFullPage: () => void, signal: AbortSignal) => {
    const pages: Item[][] = [];
    let from: Item | undefined;
    do {
      const position = { Segment: segment, TotalSegments: segments, ExclusiveStartKey: from };
      const page = await scan(position, signal);
      pages.push(page.Items ?? []);
      from = page.LastEvaluatedKey;
      if (from) countFullPage();
    } while (from);
    return pages.flat();
  };

  const readInSegments = async (signal: AbortSignal): Promise<Item[]> => {
    let fullPages = 0;
    const countFullPage = () => {
      fullPages += 1;
      if (fullPages > MAX_FULL_PAGES) {
        throw new AnswerTooLarge(`The table has over ${fullPages} MB, which is too large for one list.`);
      }
    };
    const itemsOfSegments = await runConcurrently(signal, (signal) =>
      Array.from({ length: segments }, (_, segment) => scanSegment(segment, countFullPage, signal)),
    );
    return itemsOfSegments.flat();
  };

  return {
    list: async (signal) => {
      const items = (isLarge ? undefined : await readInOneCall(signal)) ?? (await readInSegments(signal));
      const rows = items.sort(byKey(key)).map((item) => toCatalogRow(key, item));
      const leftOutCount = items.filter(hasLostAttribute).length;
      return leftOutCount > 0 ? { rows, leftOutCount } : { rows };
    },
  };
};

/** The SDK drops the value of an attribute named `__proto__`. */
const hasLostAttribute = (item: Item) => Object.hasOwn(item, '__proto__');

const byKey = (key: string) => (a: Item, b: Item) => ((a[key]?.S ?? '') < (b[key]?.S ?? '') ? -1 : 1);
