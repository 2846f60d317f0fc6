import type { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { expect } from 'vitest';
import type { Session } from '../../../../admin/deployment/session.ts';
import { historyReader, type RecordedRows } from '../../../../admin/lists/history/history-reader.ts';
import { writeChanges } from '../../../../admin/lists/history/write-changes.ts';
import type { ChangeOrigin, RowChange } from '../../../../admin/lists/plan/row-change.ts';
import type { ListName } from '../../../../shared/tables.ts';
import type { startFaultProxy } from '../../../support/fault-proxy.ts';
import { createTable, testClient } from '../../../support/tables.ts';

export type ListDeployment = Session['deployment'];
export type Engine = Awaited<ReturnType<typeof startFaultProxy>>;
type Writing = { list?: ListName; origin?: ChangeOrigin };

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
  refusalLog: async function* () {},
  ...{ baseUrl: '', plans: [], key: '' },
});

/** Writes a plan. */
export const writeAs = (
  deployment: ListDeployment,
  changes: readonly RowChange[],
  { list = 'MaterialCodes', origin = { kind: 'import', source: 'codes.csv' } }: Writing = {},
) => writeChanges(list, changes, { deployment, origin, signal: new AbortController().signal, advice: '' });

/** Ends a write as if its process was killed before the n-th call to this table. */
export const killWrite = async (
  engine: Engine,
  table: string,
  call: number,
  write: () => Promise<unknown>,
) => {
  let calls = 0;
  engine.decide((_, __, { body }) => {
    if (body.includes(table)) calls += 1;
    return calls < call ? 'through' : 'deny';
  });
  await expect(write()).rejects.toThrow('not allowed');
  engine.decide(() => 'through');
};

export const sessionOf = (deployment: ListDeployment): Session => {
  return { deployment, where: { data: '', stack: '' }, now: deployment.now() };
};

/** What a stock has of the history of lists. */
export const tablesOf = (db: DatabaseSync) =>
  ['list_change', 'list_line', 'list_period'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`).all(),
  );

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
