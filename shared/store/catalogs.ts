import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { AnswerTooLarge } from '../answer-too-large.ts';
import type { AttributeValue } from '../attribute-json.ts';
import { type CatalogName, type CatalogRow, catalogs, toCatalogRow } from '../catalog.ts';
import { together } from './together.ts';
import { orUnavailable } from './unavailable.ts';

export type Catalog = { list(signal: AbortSignal): Promise<CatalogRow[]> };

/** A page of a scan is 1 MB; a full list has about six, read side by side. */
const SEGMENTS = 4;

/** Three times what an answer carries. A table that holds more is not read to its end, which would fill the memory. */
const MOST_FULL_PAGES = 18;

export const catalogStore = (
  client: DynamoDBClient,
  name: CatalogName,
  table: string,
  segments = SEGMENTS,
): Catalog => {
  const { key } = catalogs[name];

  const scanSegment = async (segment: number, countFullPage: () => void, signal: AbortSignal) => {
    const pages: Record<string, AttributeValue>[][] = [];
    let from: Record<string, AttributeValue> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        Segment: segment,
        TotalSegments: segments,
        ExclusiveStartKey: from,
      });
      const page = await orUnavailable(client.send(scan, { abortSignal: signal }));
      pages.push(page.Items ?? []);
      from = page.LastEvaluatedKey;
      if (from) countFullPage();
    } while (from);
    return pages.flat();
  };

  return {
    /** Every row of the table, sorted by what names it. */
    list: async (signal) => {
      let fullPages = 0;
      const countFullPage = () => {
        fullPages += 1;
        if (fullPages > MOST_FULL_PAGES) {
          throw new AnswerTooLarge(`The table holds over ${fullPages} MB: it has outgrown one list.`);
        }
      };
      const found = await together(signal, (signal) =>
        Array.from({ length: segments }, (_, segment) => scanSegment(segment, countFullPage, signal)),
      );
      return found
        .flat()
        .sort(byKey(key))
        .map((item) => toCatalogRow(key, item));
    },
  };
};

const byKey = (key: string) => (a: Record<string, AttributeValue>, b: Record<string, AttributeValue>) =>
  (a[key]?.S ?? '') < (b[key]?.S ?? '') ? -1 : 1;
