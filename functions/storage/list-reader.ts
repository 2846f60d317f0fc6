import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ResponseTooLarge } from '../../shared/http/http-response.ts';
import { type Item, type ListRow, toListRow } from '../../shared/storage/attribute-json.ts';
import { retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';
import { type ListName, tables } from '../../shared/tables.ts';

type ListContent = {
  rows: ListRow[];
  /** The number of rows with an attribute that the SDK cannot read. Undefined if there are no such rows. */
  incompleteRowCount?: number | undefined;
};

export type ListReader = { read(signal: AbortSignal): Promise<ListContent> };

/** A page has 1 MB, so this is three times the largest response. More pages could fill the memory. */
const MAX_FULL_PAGES = 18;

export const listReader = (dynamodb: DynamoDBClient, name: ListName, table: string): ListReader => {
  const { partitionKey: key } = tables[name];

  const readPage = (startKey: Item | undefined, signal: AbortSignal) => {
    // A consistent read would cost twice as much, and many warehouses read the lists on the hour.
    const scan = new ScanCommand({ TableName: table, ExclusiveStartKey: startKey });
    return retryWhileThrottled(() => dynamodb.send(scan, { abortSignal: signal }), signal);
  };

  const readItems = async (signal: AbortSignal): Promise<Item[]> => {
    const pages: Item[][] = [];
    let startKey: Item | undefined;
    do {
      const page = await readPage(startKey, signal);
      pages.push(page.Items ?? []);
      startKey = page.LastEvaluatedKey;
      if (startKey && pages.length > MAX_FULL_PAGES) {
        throw new ResponseTooLarge(`The table has over ${pages.length} MB, which is too large for one list.`);
      }
    } while (startKey);
    return pages.flat();
  };

  return {
    read: async (signal) => {
      const items = await readItems(signal);
      const rows = items.sort(byKey(key)).map((item) => toListRow(key, item));
      const incompleteRowCount = items.filter(hasDroppedValue).length;
      return { rows, incompleteRowCount: incompleteRowCount || undefined };
    },
  };
};

/** The SDK drops the value of an attribute named `__proto__` and keeps its name. */
const hasDroppedValue = (item: Item) => Object.hasOwn(item, '__proto__');

const byKey = (key: string) => (a: Item, b: Item) => ((a[key]?.S ?? '') < (b[key]?.S ?? '') ? -1 : 1);
