import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../local/services/engine.ts';
import { engineClient } from '../local/services/tables.ts';
import { REGION } from '../local/synthesis/stack.ts';
import { toItem } from '../shared/clients/client.ts';
import { newClient } from '../shared/clients/new-client.ts';
import { generatePassword } from '../shared/clients/password.ts';
import type { Item } from '../shared/storage/attribute-json.ts';
import { tableNames } from '../shared/tables.ts';
import { keyAttributes } from '../test/support/table-reader.ts';

type OnUnits = (units: number, call: { table: string; isRead: boolean }) => void;

/** Calls `onUnits` with the units of each call. A transaction has those of each of its tables. */
export const watchUnits = (dynamodb: DynamoDBClient, onUnits: OnUnits) =>
  dynamodb.middlewareStack.add((next, { commandName = '' }) => async (args) => {
    Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
    const result = await next(args);
    const isRead = /^(Scan|Query|(Batch)?Get)/.test(commandName);
    for (const { CapacityUnits = 0, TableName: table = '' } of [
      Object(result.output).ConsumedCapacity ?? [],
    ].flat())
      onUnits(CapacityUnits, { table, isRead });
    return result;
  });

const KEY_TYPES = ['HASH', 'RANGE'] as const;

/** Creates a table whose keys are texts. */
export const createTable = async (dynamodb: DynamoDBClient, TableName: string, keys: readonly string[]) => {
  const KeySchema = keys.map((AttributeName, index) => ({ AttributeName, KeyType: KEY_TYPES[index] }));
  const AttributeDefinitions = keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));
  const BillingMode = 'PAY_PER_REQUEST';
  await dynamodb.send(new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode }));
};

const MAX_ITEMS_OF_CALL = 25;

export const fillTable = async (dynamodb: DynamoDBClient, table: string, items: Iterable<Item>) => {
  const write = async (group: readonly Item[]) => {
    const puts = group.map((Item) => ({ PutRequest: { Item } }));
    await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
  };
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < MAX_ITEMS_OF_CALL) continue;
    await write(group);
    group = [];
  }
  if (group.length > 0) await write(group);
};

/** A client as an admin adds it. */
export const clientItem = (name: string, slot: number) => {
  const client = newClient({ name, password: generatePassword(), plan: 'standard', slot, now: new Date() });
  const ChangedBy = 'arn:aws:sts::123456789012:assumed-role/WarehouseAdmin/admin@example.com';
  return toItem({ ...client, ChangedBy, Version: 1 });
};

/** Starts the local run's engine with the tables and clients of a service. In the folder `data`, a session finds it as a local run. */
export const startService = async (data: string, clients: readonly string[]) => {
  const engine = await startEngine();
  const dynamodb = engineClient(engine.endpoint);
  for (const name of tableNames) await createTable(dynamodb, name, keyAttributes(name));
  await fillTable(
    dynamodb,
    'Clients',
    clients.map((name, index) => clientItem(name, index + 1)),
  );
  const names = tableNames.map((name) => [`${name}TableName`, name]);
  const settings = { BaseUrl: '', Plans: `standard:${clients.length}`, RecordRetentionDays: '400' };
  const Outputs = { ...settings, ...Object.fromEntries(names) };
  const outputs = { DynamoDbEndpoint: engine.endpoint, ControlEndpoint: '', Region: REGION };
  writeFileSync(join(data, 'outputs.json'), JSON.stringify({ ...outputs, Stack: { Outputs } }));
  return {
    dynamodb,
    where: { local: true, data, stack: '' },
    stop: async () => {
      dynamodb.destroy();
      await engine.stop();
    },
  };
};
