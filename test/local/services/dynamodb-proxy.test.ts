import { DynamoDBClient, ExecuteStatementCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { openServer } from '../../../local/http.ts';
import { openDynamoDbProxy } from '../../../local/services/dynamodb-proxy.ts';
import { createPermissions } from '../../../local/services/permissions.ts';
import { openTopics } from '../../../local/services/topics.ts';
import { readAssembly } from '../../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../../local/synthesis/stack.ts';
import { assembly } from '../../support/assembly.ts';
import { openSocket, send } from '../../support/http-client.ts';

/** An engine that completes each call, or fails, when the test says so. */
const calls: { name: string; complete: () => void; fail: (error: Error) => void }[] = [];
const namesOfCalls = () => calls.map(({ name }) => name);
let engine: Awaited<ReturnType<typeof openServer>>;
let proxy: Awaited<ReturnType<typeof openDynamoDbProxy>>;
beforeAll(async () => {
  engine = await openServer(async (incoming) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    calls.push({ name: String(incoming.headers['x-name']), complete: resolve, fail: reject });
    await promise;
    return { status: 200 };
  });
  proxy = await openDynamoDbProxy(engine.endpoint, { refusalOf: () => undefined });
});
afterAll(() => {
  proxy.close();
  engine.close();
});

const bodyOf = (bytes: number) => JSON.stringify({ TableName: 'x'.repeat(bytes) });
const call = (name: string, bytes: number) =>
  send(proxy.endpoint, { method: 'POST', headers: { 'X-Name': name }, body: bodyOf(bytes) });

test('large calls reach the engine one after the other, small ones at once, and those of a caller that has left not at all', async () => {
  const failed = expect(call('first', 100_000)).rejects.toThrow('socket hang up');
  await expect.poll(namesOfCalls).toEqual(['first']);
  const body = bodyOf(100_000);
  const leaving = await openSocket(proxy.endpoint);
  leaving.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Name: left\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const small = call('small', 90_000);
  await expect.poll(namesOfCalls).toEqual(['first', 'small']);
  const last = call('last', 100_000);
  leaving.destroy();
  await leaving.closed;
  calls[1]?.complete();
  expect((await small).status).toBe(200);
  expect(namesOfCalls()).toEqual(['first', 'small']);
  calls[0]?.fail(new Error('The connection ends.'));
  await failed;
  await expect.poll(namesOfCalls).toEqual(['first', 'small', 'last']);
  calls[2]?.complete();
  expect((await last).status).toBe(200);
});

test('a caller that is no function of the template may use neither DynamoDB nor SNS', async () => {
  const { stackName, template } = readAssembly(await assembly());
  const stack = new TemplateStack(stackName, template);
  const permissions = createPermissions(stack);
  const messages: object[] = [];
  const services = {
    dynamodb: await openDynamoDbProxy(inject('dynamoDbEndpoint'), permissions),
    sns: await openTopics(permissions, (_, message) => messages.push(message)),
  };
  onTestFinished(() => Object.values(services).forEach(({ close }) => void close()));
  const stranger = {
    region: 'eu-central-1',
    credentials: { accessKeyId: 'Unknown', secretAccessKey: 'local' },
  };
  const dynamodb = new DynamoDBClient({ ...stranger, endpoint: services.dynamodb.endpoint });
  const sns = new SNSClient({ ...stranger, endpoint: services.sns.endpoint });
  const { ClientsTableName: TableName, AlarmTopicArn: TopicArn } = stack.outputs;
  const refusal = 'The security token included in the request is invalid.';
  await expect(dynamodb.send(new ScanCommand({ TableName }))).rejects.toThrow(refusal);
  // This call names no table in a parameter.
  const statement = new ExecuteStatementCommand({ Statement: `SELECT * FROM "${TableName}"` });
  await expect(dynamodb.send(statement)).rejects.toThrow(refusal);
  await expect(sns.send(new PublishCommand({ TopicArn, Message: 'x' }))).rejects.toThrow(refusal);
  expect(messages).toEqual([]);
});
