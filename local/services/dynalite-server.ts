import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createTurns } from '../../shared/turns.ts';
import { openServer } from '../http.ts';
import { createRequestHandler } from './dynalite-request-handler.ts';
import { actionOf, jsonResponse } from './proxy.ts';

/* The main file of dynalite's process. */

const { values } = parseArgs({ options: { port: { type: 'string' }, path: { type: 'string' } } });

// An error such as a full disk ends the process with its message.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});

// Imported here, because the import throws on a machine that LevelDB is not compiled for.
const { openDynalite } = await import('./dynalite.ts');
const send = openDynalite(values.path);

// If the data is damaged, this request ends the process before the server listens.
await createRequestHandler(send, {
  'content-type': 'application/json',
  'x-amz-date': 'none',
  authorization: 'AWS4-HMAC-SHA256 Credential=none, Signature=none, SignedHeaders=none',
})('DescribeTable', { TableName: 'none' });

/** Handles one request at a time, so that no request sees half of a transaction. */
const takeTurn = createTurns();
// The exit takes a turn, so it waits until a running transaction has ended.
process.on('SIGTERM', () => takeTurn(async () => process.exit()));

const { endpoint } = await openServer(async (incoming) => {
  const input = Object(await json(incoming));
  const { status, output } = await takeTurn(() =>
    createRequestHandler(send, incoming.headers)(actionOf(incoming), input),
  );
  return jsonResponse(status, output);
}, Number(values.port));
process.stderr.write(`Listening on ${endpoint}\n`);
