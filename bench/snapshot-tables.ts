import { randomUUID } from 'node:crypto';
import { type AttributeValue, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { engineClient } from '../local/services/tables.ts';
import { keyAttributes } from '../test/support/table-reader.ts';
import { createTable } from './service.ts';

/** Tables with the keys of BalanceSnapshots, in the engine at this endpoint. */
export const snapshotTables = (endpoint: string) => {
  const client = engineClient(endpoint);

  const create = async () => {
    const TableName = `BalanceSnapshots-${randomUUID()}`;
    await createTable(client, TableName, keyAttributes('BalanceSnapshots'));
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
