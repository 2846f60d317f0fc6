import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort, listen } from '../../../local/http.ts';
import { type Engine, startEngine } from '../../../local/services/engine.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { isRunning } from '../../support/processes.ts';
import { itemsOf, testClient } from '../../support/tables.ts';

afterEach(() => vi.unstubAllEnvs());

const startDynalite = (folder?: string) => {
  vi.stubEnv('ENGINE', 'dynalite').stubEnv('DYNAMODB_ENDPOINT', '');
  return startEngine(folder);
};

const pidOf = (folder: string): number => JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8')).pid;

test('a machine without the native engine uses dynalite, or says in one line what to do if ENGINE names another', async () => {
  const { arch } = process;
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }));
  Object.defineProperty(process, 'arch', { value: 'none' });
  vi.resetModules();
  const { engineProgram } = await import('../../../local/services/engine-programs.ts');
  // The next test file of this process would get the modules that were loaded on the other machine.
  vi.resetModules();
  vi.stubEnv('ENGINE', '');
  expect(engineProgram().description).toMatch(/^dynalite \d+\.\d+\.\d+ \(JavaScript\)$/);
  vi.stubEnv('ENGINE', 'dynoxide');
  expect(engineProgram).toThrow(/^dynoxide is not installed\. Run .+DYNAMODB_ENDPOINT.+$/);
  vi.stubEnv('ENGINE', 'other');
  expect(engineProgram).toThrow('ENGINE may be dynoxide or dynalite, not other.');
});

test('a machine without LevelDB for its platform is named DYNAMODB_ENDPOINT, and no data folder', async () => {
  vi.stubEnv('npm_config_arch', 'none');
  const line =
    /^The DynamoDB engine did not start\. (?!.*data folder).+DYNAMODB_ENDPOINT.+No native build was found.+$/;
  await expect(startDynalite()).rejects.toThrow(line);
});

test('DYNAMODB_ENDPOINT has to name an engine that responds', async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  const words = `No DynamoDB engine responds at ${nobody} (DYNAMODB_ENDPOINT).`;
  await expect(startEngine(undefined, () => {}, nobody)).rejects.toThrow(words);
});

test('an engine of an earlier run that still holds the folder is named, but not another program with its id', async () => {
  const folder = temporaryFolder();
  const server = createServer();
  const port = Number(new URL(await listen(server, 0)).port);
  const note = JSON.stringify({ pid: process.pid, port });
  const startAfter = async (text: string) => {
    writeFileSync(join(folder, 'engine.json'), text);
    const engine = await startEngine(folder, undefined, '', async () => {});
    await engine.stop();
  };
  const words = `The DynamoDB engine of an earlier run (process ${process.pid}) still uses ${folder}.`;
  await expect(startAfter(note)).rejects.toThrow(words);
  server.close();
  await startAfter(note);
});

test('an engine that listens before its supervisor has sent its id is written down with its id', async () => {
  const late =
    'const { send } = process; if (send) process.send = (id) => setTimeout(() => send.call(process, id), 500);';
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(late)}`);
  const folder = temporaryFolder();
  // A crash of the machine can empty the file, and ends the engine.
  writeFileSync(join(folder, 'engine.json'), '');
  const engine = await startEngine(folder, () => {}, '');
  const isEngine = isRunning(pidOf(folder));
  await engine.stop();
  expect(isEngine).toBe(true);
});

describe('dynalite', () => {
  const TableName = 'Rows';
  const folder = temporaryFolder();
  let engine: Engine;
  let client: ReturnType<typeof testClient>;

  const startAgain = async () => {
    engine = await startDynalite(folder);
    client = testClient(engine.endpoint);
  };
  const newTable = new CreateTableCommand({
    TableName,
    KeySchema: [{ AttributeName: 'Key', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'Key', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });

  beforeAll(async () => {
    await startAgain();
    await client.send(newTable);
  });
  afterAll(async () => {
    client.destroy();
    await engine.stop();
  });

  const row = (key: string, attributes: Record<string, AttributeValue> = {}) => ({
    Key: { S: key },
    ...attributes,
  });
  const put = (Item: Record<string, AttributeValue>) => client.send(new PutItemCommand({ TableName, Item }));
  const rows = async () =>
    (await itemsOf(TableName, client)).toSorted((one, other) =>
      String(one['Key']?.S).localeCompare(String(other['Key']?.S)),
    );
  const absent = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': 'Key' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;

  /** A transaction that adds, changes and removes a row, and adds the row `last` if it is absent. */
  const transact = (last: string) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: row('new') } },
          {
            Update: {
              TableName,
              Key: row('old'),
              UpdateExpression: 'SET Colour = :colour',
              ExpressionAttributeValues: { ':colour': { S: 'changed' } },
            },
          },
          { Delete: { TableName, Key: row('gone') } },
          { Put: { TableName, Item: row(last), ...absent } },
        ],
      }),
    );

  test('makes all writes of a transaction, or none if a condition fails', async () => {
    const before = [
      row('gone', { Colour: { S: 'gone' } }),
      row('old', { Colour: { S: 'old' } }),
      row('there'),
    ];
    for (const item of before) await put(item);
    const failure = await transact('there').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TransactionCanceledException);
    const none = { Code: 'None' };
    expect(failure).toMatchObject({
      CancellationReasons: [none, none, none, { Code: 'ConditionalCheckFailed', Item: row('there') }],
    });
    expect(await rows()).toEqual(before);
    await transact('last');
    const changed = row('old', { Colour: { S: 'changed' } });
    expect(await rows()).toEqual([row('last'), row('new'), changed, row('there')]);
  });

  test.each<[string, AttributeValue, AttributeValue]>([
    ['maps', { M: { a: { N: '1' }, b: { L: [] } } }, { M: { a: { N: '2' }, b: { L: [] } } }],
    ['lists', { L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] }],
  ])('compares %s by value', async (_, value, other) => {
    for (const condition of ['#value = :expected', ':expected = #value', '#value IN (:text, :expected)']) {
      await put(row('A', { Value: value }));
      const removeIf = (expected: AttributeValue) =>
        client.send(
          new DeleteItemCommand({
            TableName,
            Key: row('A'),
            ConditionExpression: `attribute_exists(#key) AND :text = :text AND ${condition}`,
            ExpressionAttributeNames: { '#key': 'Key', '#value': 'Value' },
            ExpressionAttributeValues: { ':expected': expected, ':text': { S: 'text' } },
          }),
        );
      await expect(removeIf(other)).rejects.toThrow('The conditional request failed');
      await removeIf(value);
      expect(await rows()).not.toContainEqual(expect.objectContaining(row('A')));
    }
  });

  test('finishes a transaction before it stops, and keeps its data when it is killed', async () => {
    const Text = { S: 'x'.repeat(30_000) };
    const TransactItems = Array.from({ length: 100 }, (_, index) => ({
      Put: { TableName, Item: row(`${index}`, { Text }) },
    }));
    const files = () => readdirSync(join(folder, 'dynamodb.level'), { withFileTypes: true });
    const size = () =>
      files().reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    const before = size();
    const response = client.send(new TransactWriteItemsCommand({ TransactItems })).catch(() => {});
    while (size() < before + 5 * Text.S.length) await sleep(1);
    await engine.stop();
    await response;
    await startAgain();
    const isOfTransaction = (item: object) => 'Text' in item;
    expect((await rows()).filter(isOfTransaction)).toHaveLength(TransactItems.length);
    await put(row('last'));
    process.kill(pidOf(folder), 'SIGKILL');
    await engine.ended;
    await startAgain();
    expect(await rows()).toContainEqual(row('last'));
  });
});
