import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, DeleteItemCommand, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, inject } from 'vitest';
import { openServer } from '../../local/http.ts';
import { type Client, toItem } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import { newSnapshotId, type Snapshot, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import { type TableName, tableNames } from '../../shared/tables.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { TableReader } from '../support/table-reader.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';

export type Item = NonNullable<PutItemCommand['input']['Item']>;

/** A row of the material codes. */
export const codeOf = (code: string, attributes: Item = {}): Item => ({
  MaterialCode: { S: code },
  ...attributes,
});

export const putItems = async (table: string, items: readonly Item[]) => {
  for (let from = 0; from < items.length; from += 25) {
    const requests = items.slice(from, from + 25).map((item) => ({ PutRequest: { Item: item } }));
    await testClient().send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
};

export type NamedClient = Partial<Client> & Pick<Client, 'Client'>;

type Deployed = {
  clients?: readonly (string | NamedClient)[];
  /** Responds in place of the engine of the test run. */
  engine?: string;
  /** The control server of the local run. */
  control?: string;
  plans?: string;
};

/** A control server of a local run, which accepts all requests. */
export const openControl = () => openServer(async () => ({ status: 200, body: '{}' }));

/** The data folder of a local run. */
export const dataFolder = (tables: Partial<Record<TableName, string>>, deployed: Deployed = {}) => {
  const { engine = inject('dynamoDbEndpoint'), control = NOWHERE, plans = 'standard:20,slow:2' } = deployed;
  const folder = temporaryFolder();
  const Outputs = {
    ...Object.fromEntries(tableNames.map((name) => [`${name}TableName`, tables[name] ?? 'unused'])),
    BaseUrl: 'https://warehouse.example',
    Plans: plans,
    RecordRetentionDays: '400',
  };
  const endpoints = { DynamoDbEndpoint: engine, ControlEndpoint: control };
  const outputs = { ...endpoints, Region: 'eu-central-1', Stack: { Outputs } };
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputs));
  return folder;
};

export const FIRST_PASSWORD = 'TheFirstPasswordOfEachClientHere';

/** The items of clients, which were added two days ago. Each has a slot of its own. */
export const clientItems = (clients: readonly (string | NamedClient)[]): Item[] =>
  clients.map((client, index) => {
    const { Client: name, ...more } = typeof client === 'string' ? { Client: client } : client;
    const now = new Date(Date.now() - 48 * HOUR_MS);
    const slot = { plan: 'standard', slot: index + 1 };
    const added = newClient({ name, password: FIRST_PASSWORD, ...slot, now });
    return toItem({ ...added, ChangedBy: 'test', Version: 1, ...more });
  });

/** A new table with these clients. */
export const createClients = async (clients: readonly (string | NamedClient)[]) => {
  const table = await createTable('Clients');
  await putItems(table, clientItems(clients));
  return table;
};

/** Nothing listens there. */
export const NOWHERE = 'http://127.0.0.1:9';

/** A deployment with new and empty tables: their names, a reader, and the data folder for commands. */
export const emptyDeployment = async (deployed: Deployed = {}) => {
  const { clients = ['warehouse'] } = deployed;
  const create = (name: TableName) => (name === 'Clients' ? createClients(clients) : createTable(name));
  const pairs = await Promise.all(tableNames.map(async (name) => [name, await create(name)] as const));
  const names = Object.fromEntries(pairs) as Record<TableName, string>;
  const DynamoDbEndpoint = inject('dynamoDbEndpoint');
  const tables = new TableReader({ Tables: names, DynamoDbEndpoint, Region: 'eu-central-1' });
  return { names, tables, data: dataFolder(names, deployed) };
};

/** Stores a batch as the service does, and returns its id. */
export const putBatch = async (
  table: string | undefined,
  client: string,
  receivedAt: Date,
  entries: Snapshot['entries'],
  { id = 'test', expiresAt }: { id?: string; expiresAt?: Date } = {},
) => {
  const snapshotId = newSnapshotId(receivedAt, id);
  const expiry = expiresAt ? { expiresAt } : {};
  const snapshot = { client, snapshotId, receivedAt, requestId: 'test', entries, ...expiry };
  await putItems(String(table), toSnapshotItems(snapshot));
  return snapshotId;
};

export const deleteItem = (TableName: string, Key: Item) =>
  testClient().send(new DeleteItemCommand({ TableName, Key }));

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

/** An engine for the tests of a file. At the beginning of each test, it has no faults. */
export const engineWithoutFaults = async () => {
  const engine = await startFaultyEngine();
  afterAll(() => engine.stop());
  beforeEach(() => engine.decide(() => 'through'));
  return engine;
};
