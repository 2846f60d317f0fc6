import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../../local/http.ts';
import { openDynamoDbProxy } from '../../../local/services/dynamodb-proxy.ts';
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
