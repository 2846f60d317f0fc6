import { createServer } from 'node:http';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listen } from '../local/http.ts';
import { testClient } from '../test/support/tables.ts';
import { startRecorder } from './harness/recorder.ts';
import { tablesOf } from './harness/tables.ts';

const row = (code: string, letters: number) => ({
  PutRequest: { Item: { MaterialCode: { S: code }, Name: { S: 'x'.repeat(letters) } } },
});
/** Of the names and the code. */
const ROW_BYTES = 'MaterialCode'.length + 'Name'.length + 1;

const record = async (engine: string, table: string, rows: ReturnType<typeof row>[]) => {
  const recorder = await startRecorder(engine);
  onTestFinished(recorder.stop);
  await testClient(recorder.endpoint).send(new BatchWriteItemCommand({ RequestItems: { [table]: rows } }));
  return recorder.take();
};

test('of several rows in one call, each is charged by itself, as the engine does', async () => {
  const table = await tablesOf(inject('dynamoDbEndpoint')).create('get-material-codes');
  const calls = await record(inject('dynamoDbEndpoint'), table, [row('A', 1), row('B', 1), row('C', 1_100)]);
  const bytes = 3 * ROW_BYTES + 1_102;
  expect(calls).toEqual([
    { operation: 'BatchWriteItem', segment: 0, items: 3, bytes, units: 4, engineUnits: 4 },
  ]);
});

test('a row that the engine left over is not charged', async () => {
  const [written, left] = [row('A', 1), row('B', 1_100)];
  const answer = { UnprocessedItems: { some: [left] }, ConsumedCapacity: [{ CapacityUnits: 1 }] };
  const server = createServer((_, response) => response.end(JSON.stringify(answer)));
  onTestFinished(() => void server.close());
  const calls = await record(await listen(server, 0), 'some', [written, left]);
  expect(calls).toEqual([
    expect.objectContaining({ items: 1, bytes: ROW_BYTES + 1, units: 1, engineUnits: 1 }),
  ]);
});
