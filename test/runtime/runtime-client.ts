import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { bodyOf, listen } from '../../local/http.ts';
import { RUNTIME_CLIENT } from './tools.ts';

const HEADERS = {
  'Content-Type': 'application/json',
  'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:000000000000:function:compared',
  'Lambda-Runtime-Trace-Id': 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0',
};

/** Starts AWS's runtime client with a bundle, and serves it the Lambda Runtime API. */
export const startRuntimeClient = async (environment: Record<string, string>) => {
  let asked = Promise.withResolvers<ServerResponse>();
  let reported = Promise.withResolvers<string>();
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bodyOf(incoming);
    if (incoming.url?.endsWith('/invocation/next')) return asked.resolve(outgoing);
    outgoing.writeHead(202).end();
    reported.resolve(body.toString());
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  const { host } = new URL(await listen(server, 0));

  const client = spawn(process.execPath, [RUNTIME_CLIENT], {
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: host },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [client.stdout, client.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line));
  const closed = once(client, 'close');

  return {
    lines,
    /** Returns the answer or the error, when the client asks for the next event. */
    invoke: async (event: string, timeoutMs: number) => {
      const next = await asked.promise;
      asked = Promise.withResolvers();
      reported = Promise.withResolvers();
      next.writeHead(200, {
        ...HEADERS,
        'Lambda-Runtime-Aws-Request-Id': randomUUID(),
        'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutMs),
      });
      next.end(event);
      const report = await reported.promise;
      await asked.promise;
      return report;
    },
    stop: async () => {
      client.kill('SIGKILL');
      await closed;
      server.close();
      server.closeAllConnections();
    },
  };
};
