import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { bodyOf, listen } from '../../local/http.ts';
import { RUNTIME_CLIENT } from './tools.ts';

type Invocation = {
  requestId: string;
  functionArn: string;
  traceId: string;
  event: string;
  timeoutMs: number;
};

/** The report of a process that has ended, instead of an answer or an error. */
export const ENDED = '"The process has ended."';

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
  const closed = once(client, 'close').then(() => reported.resolve(ENDED));

  return {
    lines,
    invoke: async ({ requestId, functionArn, traceId, event, timeoutMs }: Invocation) => {
      const next = await Promise.race([asked.promise, reported.promise]);
      if (typeof next === 'string') {
        // After a failed load, the client logs the error and ends by itself.
        await closed;
        return next;
      }
      asked = Promise.withResolvers();
      reported = Promise.withResolvers();
      next.writeHead(200, {
        'Content-Type': 'application/json',
        'Lambda-Runtime-Aws-Request-Id': requestId,
        'Lambda-Runtime-Invoked-Function-Arn': functionArn,
        'Lambda-Runtime-Trace-Id': traceId,
        'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutMs),
      });
      next.end(event);
      const report = await reported.promise;
      await Promise.race([asked.promise, closed]);
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
