import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../attribute-json.ts';
import { type CatalogName, type CatalogRow, catalogs, toCatalogRow } from '../catalog.ts';
import { orUnavailable } from './unavailable.ts';

export type Catalog = { list(signal: AbortSignal): Promise<CatalogRow[]> };

/** A page of a scan is 1 MB; a full list has about six, read side by side. */
const SEGMENTS = 4;

export const catalogStore = (client: DynamoDBClient, name: CatalogName, table: string): Catalog => {
  const { key } = catalogs[name];

  const scanSegment = async (segment: number, signal: AbortSignal) => {
    const pages: Record<string, AttributeValue>[][] = [];
    let from: Record<string, AttributeValue> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        Segment: segment,
        TotalSegments: SEGMENTS,
        ExclusiveStartKey: from,
      });
      const page = await orUnavailable(client.send(scan, { abortSignal: signal }));
      pages.push(page.Items ?? []);
      from = page.LastEvaluatedKey;
    } while (from);
    return pages.flat();
  };

  return {
    /** Every row of the table, sorted by what names it. */
    list: async (signal) => {
      const segments = Array.from({ length: SEGMENTS }, (_, segment) => scanSegment(segment, signal));
      const items = (await Promise.all(segments)).flat();
      return items.sort(byKey(key)).map((item) => toCatalogRow(key, item));
    },
  };
};

const byKey = (key: string) => (a: Record<string, AttributeValue>, b: Record<string, AttributeValue>) =>
  (a[key]?.S ?? '') < (b[key]?.S ?? '') ? -1 : 1;
