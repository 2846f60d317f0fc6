import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  CreateTableCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { engineClient } from '../local/services/tables.ts';
import { tableDefinition } from '../shared/tables.ts';

/** Tables with the keys of BalanceSnapshots, in the engine at this endpoint. */
export const snapshotTables = (endpoint: string) => {
  const client = engineClient(endpoint);
  const { partitionKey, sortKey = '' } = tableDefinition('BalanceSnapshots');

  const create = async () => {
    const TableName = `BalanceSnapshots-${randomUUID()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    return TableName;
  };

  const readItems = async (TableName: string): Promise<Record<string, AttributeValue>[]> => {
    const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
    return pages.flatMap(({ Items = [] }) => Items);
  };

  /** Writes each item of a table once more, and adds up the write units that the engine counts. */
  const countWriteUnits = async (TableName: string) => {
    let units = 0;
    for (const Item of await readItems(TableName)) {
      const put = new PutItemCommand({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' });
      const { ConsumedCapacity } = await client.send(put);
      units += ConsumedCapacity?.CapacityUnits ?? Number.NaN;
    }
    return units;
  };

  return { create, readItems, countWriteUnits };
};
