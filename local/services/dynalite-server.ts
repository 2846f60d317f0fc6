import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { bodyOf, listen } from '../http.ts';
import { DynaliteRequest } from './dynalite-requests.ts';

/* The main file of dynalite's process. */

const { values } = parseArgs({ options: { port: { type: 'string' }, path: { type: 'string' } } });

// For example, a write fails on a full disk.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});

// Imported here, because the import throws on platforms that LevelDB is not compiled for.
const { openDynalite } = await import('./dynalite.ts');
const send = openDynalite(values.path);
let lastRequest: Promise<unknown> = Promise.resolve();

/** Handles one request at a time, so that no request sees half of a transaction. */
const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
  try {
    const { method = '', headers } = incoming;
    const requestBody = String(await bodyOf(incoming));
    const answering = lastRequest.then(() => new DynaliteRequest(send, headers).answer(method, requestBody));
    lastRequest = answering.catch(() => {});
    const { status, headers: answerHeaders, body } = await answering;
    outgoing.writeHead(status, answerHeaders).end(body);
  } catch {
    // The caller has disconnected.
    incoming.socket.destroy();
  }
};

// A transaction that has begun is finished first.
process.on('SIGTERM', () => lastRequest.then(() => process.exit()));

// If the data is damaged, this request ends the process before the server listens.
await send(
  'POST',
  {
    'content-type': 'application/json',
    'x-amz-target': 'DynamoDB_20120810.DescribeTable',
    'x-amz-date': 'none',
    authorization: 'AWS4-HMAC-SHA256 Credential=none, Signature=none, SignedHeaders=none',
  },
  '{"TableName":"none"}',
);
const address = await listen(createServer(onRequest), Number(values.port));
process.stderr.write(`Listening on ${address}\n`);
