import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type ServerResponse } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { storageClient } from '../../../functions/storage/storage-client.ts';
import { close, listen } from '../../../local/http.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const stepsOf = ({ middlewareStack }: DynamoDBClient) => middlewareStack.identify();

it("storageClient has all middleware of the SDK's client except the logger", () => {
  const usual = stepsOf(new DynamoDBClient({}));
  const withoutLog = usual.filter((step) => !step.startsWith('loggerMiddleware'));
  expect(withoutLog).toHaveLength(usual.length - 1);
  expect(stepsOf(storageClient())).toEqual(withoutLog);
});

it.each<[string, (outgoing: ServerResponse) => unknown]>([
  [
    'headers without an end',
    (outgoing) => {
      const writing = setInterval(() => outgoing.writeProcessing(), 10);
      outgoing.once('close', () => clearInterval(writing));
    },
  ],
  ['half of a body', (outgoing) => outgoing.writeHead(200).write('{"Items":[')],
])('makes four attempts of limited time if a call gets %s', async (_, respond) => {
  // On a busy machine, an attempt may end before the server sees it.
  let attempts = 0;
  const count = () => {
    attempts += 1;
  };
  subscribe('http.client.request.created', count);
  const server = createServer((_, outgoing) => respond(outgoing));
  onTestFinished(() => {
    unsubscribe('http.client.request.created', count);
    return close(server);
  });
  const endpoint = await listen(server, 0);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const call = storageClient({ attemptMs: 50 }).send(new ListTablesCommand());
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(attempts).toBe(4);
});
