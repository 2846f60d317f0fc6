import { BatchWriteItemCommand, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { testClient } from '../support/tables.ts';

export type Item = NonNullable<PutItemCommand['input']['Item']>;

export const putItems = async (table: string, items: readonly Item[], client = testClient()) => {
  for (let from = 0; from < items.length; from += 25) {
    const requests = items.slice(from, from + 25).map((item) => ({ PutRequest: { Item: item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
};

/** One value of every kind, with names and texts that files could damage. */
export const ODD: Item = {
  constructor: { S: 'c' },
  Name: { S: ' "Лист"; 10,5\r\nмм\n' },
  Weight: { N: '12345678901234567890.123456789012345678' },
  Tags: { SS: ['b', 'a'] },
  Sizes: { NS: ['2', '10'] },
  Bytes: { B: Buffer.from([0, 1, 255]) },
  Parts: { BS: [Buffer.from('x'), Buffer.from('y')] },
  Nested: { M: { list: { L: [{ NULL: true }, { N: '1e-130' }, { SS: ['z', 'y'] }] }, empty: { M: {} } } },
  None: { NULL: true },
  Yes: { BOOL: false },
  Empty: { S: '' },
};
