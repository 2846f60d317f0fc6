import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../local/http.ts';
import { RUNTIME_CLIENT } from './tools.ts';

/** The client does not start without the first four. With the last, it asks for events by itself. */
const REQUIRED = {
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: 'compared',
  AWS_LAMBDA_LOG_STREAM_NAME: 'compared',
  AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
};

const HEADERS = {
  'Content-Type': 'application/json',
  'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:000000000000:function:compared',
  'Lambda-Runtime-Trace-Id': 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0',
};

/** The environment of the process, the events as JSON text, and the time for each. */
export type Options = { environment: Record<string, string>; events: readonly string[]; timeoutMs: number };

/** Runs a bundle under AWS's runtime client, which gets the events from a Lambda Runtime API. */
export const runUnderClient = async ({ environment, events, timeoutMs }: Options) => {
  let asked = Promise.withResolvers<ServerResponse>();
  let reported = Promise.withResolvers<string>();
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    if (incoming.url?.endsWith('/invocation/next')) return asked.resolve(outgoing);
    outgoing.writeHead(202).end();
    reported.resolve(body.toString());
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  const { host } = new URL(await listen(server, 0));

  const client = spawn(process.execPath, [RUNTIME_CLIENT], {
    env: { ...REQUIRED, ...environment, AWS_LAMBDA_RUNTIME_API: host },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [client.stdout, client.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line));
  const closed = once(client, 'close').then(() => asked.reject(new Error(lines.join('\n'))));

  const results: string[] = [];
  for (const event of events) {
    const next = await asked.promise;
    asked = Promise.withResolvers();
    reported = Promise.withResolvers();
    next.writeHead(200, {
      ...HEADERS,
      'Lambda-Runtime-Aws-Request-Id': randomUUID(),
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutMs),
    });
    next.end(event);
    results.push(await reported.promise);
  }
  // The client asks again when it has written all lines of the last event.
  await asked.promise;
  client.kill('SIGKILL');
  await closed;
  server.close();
  server.closeAllConnections();
  return { results, lines };
};
