import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';

/** Tables of material codes that are filled by many calls at a time, since they are large. */

const ROWS_IN_A_CALL = 25;
const CALLS_AT_A_TIME = 8;
const DIGITS = 12;

const codeOf = (index: number) => `ABC-${String(index).padStart(DIGITS, '0')}`;

/** Short ones, so that 100,000 of them fit into an answer. */
export const shortRow = (index: number): Record<string, AttributeValue> => ({
  MaterialCode: { S: codeOf(index) },
  Unit: { S: 'kg' },
});

const NOTE_CHARACTERS = 4_000;

/** Of about 4 KB, so that few of them fill many pages of a scan. */
export const longRow = (index: number): Record<string, AttributeValue> => ({
  MaterialCode: { S: codeOf(index) },
  Note: { S: 'n'.repeat(NOTE_CHARACTERS) },
});

export const listTablesOf = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const put = (table: string, first: number, count: number, rowOf: typeof shortRow) => {
    const puts = Array.from({ length: count }, (_, index) => ({
      PutRequest: { Item: rowOf(first + index) },
    }));
    return client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
  };
  return {
    fill: async (table: string, rows: number, rowOf = shortRow, from = 0) => {
      const firsts = Array.from(
        { length: Math.ceil((rows - from) / ROWS_IN_A_CALL) },
        (_, call) => from + call * ROWS_IN_A_CALL,
      );
      await Promise.all(
        forEachConcurrently(CALLS_AT_A_TIME, firsts.values(), (first) =>
          put(table, first, Math.min(ROWS_IN_A_CALL, rows - first), rowOf),
        ),
      );
    },
    /** None of a table that nothing was written to. */
    hasRows: async (table: string) => {
      const { Count } = await client.send(new ScanCommand({ TableName: table, Select: 'COUNT', Limit: 1 }));
      return Count !== 0;
    },
  };
};
