import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { inject } from 'vitest';

/** What happens to a call on its way to the engine. `lost` reaches the engine, and its answer goes astray. */
export type Fate = 'through' | 'throttled' | 'broken' | 'silent' | 'cut' | 'lost' | 'denied';

const errors: Partial<Record<Fate, [number, string, string]>> = {
  throttled: [400, 'ProvisionedThroughputExceededException', 'Rate exceeded'],
  broken: [500, 'InternalServerError', 'Internal server error'],
  denied: [400, 'AccessDeniedException', 'not authorized to perform: dynamodb:PutItem'],
};

/** A way to the engine that can be disturbed call by call. */
export const startFaultyEngine = async () => {
  const calls: string[] = [];
  let waiting = 0;
  let fateOf = (_call: string, _number: number): Fate => 'through';

  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const call = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push(call);
    const fate = fateOf(call, calls.length);
    const error = errors[fate];
    if (fate === 'silent') {
      waiting += 1;
      incoming.socket.once('close', () => {
        waiting -= 1;
      });
      return;
    }
    if (fate === 'cut') incoming.socket.destroy();
    else if (error) answerError(outgoing, ...error);
    else await forward(incoming, body, outgoing, fate === 'lost');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** The operations that were asked for, in order. */
    calls,
    /** How many calls still wait for an answer that does not come. */
    waiting: () => waiting,
    decide: (decision: typeof fateOf) => {
      calls.length = 0;
      fateOf = decision;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const bodyOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const answerError = (outgoing: ServerResponse, status: number, type: string, message: string) => {
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
};

const forward = async (
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  isLost: boolean,
) => {
  const onward = request(inject('dynamoDbEndpoint'), { method: 'POST', headers: incoming.headers });
  onward.end(body);
  const [answer] = await once(onward, 'response');
  const answered = await bodyOf(answer);
  if (isLost) incoming.socket.destroy();
  else outgoing.writeHead(answer.statusCode, answer.headers).end(answered);
};
