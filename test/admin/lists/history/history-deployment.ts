import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { historyReader, type RecordedRows } from '../../../../admin/lists/history/history-reader.ts';
import type { writeChanges } from '../../../../admin/lists/history/write-changes.ts';
import type { ListName } from '../../../../shared/tables.ts';
import { createTable, testClient } from '../../../support/tables.ts';

export type ListDeployment = Parameters<typeof writeChanges>[2]['deployment'];

/** Retries at once what failed for a moment. */
export const impatientClient = (endpoint: string) => {
  const { credentials, region } = testClient().config;
  return new DynamoDBClient({
    endpoint,
    credentials,
    region,
    retryStrategy: new ConfiguredRetryStrategy(3, 0),
  });
};

/** Empty lists, and an empty table for their history. */
export const listDeployment = async (
  now = () => new Date(),
  dynamodb = testClient(),
): Promise<ListDeployment> => ({
  dynamodb,
  name: 'the stack',
  tables: {
    MaterialCodes: await createTable('MaterialCodes'),
    PurchaseOrders: await createTable('PurchaseOrders'),
    ...{ ChangeTimestamps: 'unused', BalanceSnapshots: 'unused', Clients: 'unused' },
  },
  records: { table: await createTable('AdminRecords'), retentionDays: 35 },
  now,
  caller: async () => 'arn:anna',
});

/** The changes of a list with their rows, the oldest first. Rows that are `known` are not read again. */
export const readHistory = async (
  deployment: ListDeployment,
  list: ListName,
  known = new Map<string, RecordedRows>(),
) => {
  const { heads, rows } = historyReader(deployment);
  const found = await Array.fromAsync(heads(list));
  return Promise.all(
    found.map(async (head) => {
      const version = `${head.Id} ${head.EndedAt}`;
      const recorded = known.get(version) ?? (await rows(head));
      known.set(version, recorded);
      return { ...head, ...recorded };
    }),
  );
};
