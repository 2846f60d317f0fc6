import { type DynamoDBClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { ResponseTooLarge } from '../../shared/schemas/http-response.ts';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogRow, toCatalogRow } from '../../shared/storage/attribute-json.ts';
import { runConcurrently } from '../../shared/storage/concurrency.ts';
import { MAX_THROTTLED_ATTEMPTS, retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';

export type CatalogList = {
  rows: CatalogRow[];
  /** Rows with an attribute that the SDK cannot read. Undefined if there are none. */
  incompleteRowCount?: number | undefined;
};

export type Catalog = { list(signal: AbortSignal): Promise<CatalogList> };

/** A full list has about 6 MB. In four segments, each segment has about two pages of 1 MB. */
const SEGMENTS = 4;

/** A page has 1 MB, so this is three times the largest response. More could fill the memory. */
const MAX_FULL_PAGES = 18;

type Item = Record<string, AttributeValue>;
type ScanPosition = Pick<ScanCommandInput, 'Segment' | 'TotalSegments' | 'ExclusiveStartKey'>;

export const catalogReader = (client: DynamoDBClient, name: CatalogName, table: string): Catalog => {
  const { partitionKey: key } = tables[name];

  const scan = (position: ScanPosition, signal: AbortSignal) => {
    const command = new ScanCommand({ TableName: table, ConsistentRead: true, ...position });
    const send = () => client.send(command, { abortSignal: signal });
    return retryWhileThrottled(send, signal, MAX_THROTTLED_ATTEMPTS);
  };

  /** Most tables fit into one page. A larger one is read again in segments, and from then on always. */
  let isLarge = false;
  const readOnePage = async (signal: AbortSignal): Promise<Item[] | undefined> => {
    const { Items = [], LastEvaluatedKey } = await scan({}, signal);
    isLarge = LastEvaluatedKey !== undefined;
    return isLarge ? undefined : Items;
  };

  const scanSegment = async (segment: number, countFullPage: () => void, signal: AbortSignal) => {
    const pages: Item[][] = [];
    let from: Item | undefined;
    do {
      const position = { Segment: segment, TotalSegments: SEGMENTS, ExclusiveStartKey: from };
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
        throw new ResponseTooLarge(`The table has over ${fullPages} MB, which is too large for one list.`);
      }
    };
    const itemsOfSegments = await runConcurrently(signal, (groupSignal) =>
      Array.from({ length: SEGMENTS }, (_, segment) => scanSegment(segment, countFullPage, groupSignal)),
    );
    return itemsOfSegments.flat();
  };

  return {
    list: async (signal) => {
      const onePage = isLarge ? undefined : await readOnePage(signal);
      const items = onePage ?? (await readInSegments(signal));
      const rows = items.sort(byKey(key)).map((item) => toCatalogRow(key, item));
      const incompleteRowCount = items.filter(hasDroppedValue).length;
      return { rows, incompleteRowCount: incompleteRowCount || undefined };
    },
  };
};

/** The SDK drops the value of an attribute named `__proto__` and keeps its name. */
const hasDroppedValue = (item: Item) => Object.hasOwn(item, '__proto__');

const byKey = (key: string) => (a: Item, b: Item) => ((a[key]?.S ?? '') < (b[key]?.S ?? '') ? -1 : 1);
