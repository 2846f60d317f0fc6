import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { bodyOf, listen } from '../../../local/http.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import type { LocalRun } from '../../support/local-run.ts';

/** What becomes of a batch of writes. Of one that is `lost`, the engine does all and its answer goes astray. */
export type Fate = 'through' | 'throttled' | 'denied' | 'cut' | 'lost' | { unprocessed: number };

type Decide = (batch: number) => Fate | Promise<Fate>;

/** A data folder whose engine is the run's, with a proxy before it that decides over each batch of writes. */
export const disturbed = async (run: LocalRun, decide: Decide) => {
  const target = run.outputs().DynamoDbEndpoint;
  let batches = 0;

  const forward = async (incoming: IncomingMessage, body: Buffer) => {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'accept-encoding': 'identity' };
    for (const name of ['x-amz-target', 'x-amz-date', 'authorization']) {
      Object.assign(headers, { [name]: String(incoming.headers[name] ?? '') });
    }
    const answer = await fetch(target, { method: 'POST', headers, body: new Uint8Array(body) });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  };

  const takeSome = async (incoming: IncomingMessage, body: Buffer, left: number) => {
    const { RequestItems } = JSON.parse(body.toString());
    const [[table, requests]]: [[string, unknown[]]] = Object(Object.entries(RequestItems));
    const some = { RequestItems: { [table]: requests.slice(left) } };
    await forward(incoming, Buffer.from(JSON.stringify(some)));
    return { UnprocessedItems: { [table]: requests.slice(0, left) } };
  };

  const meet = async (fate: Fate, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bodyOf(incoming);
    if (fate === 'cut') return incoming.socket.destroy();
    if (fate === 'throttled') return refuse(outgoing, 'ThrottlingException', 'Rate exceeded');
    if (fate === 'denied') return refuse(outgoing, 'AccessDeniedException', 'not authorized to write');
    if (typeof fate === 'object') {
      return answerWith(outgoing, 200, JSON.stringify(await takeSome(incoming, body, fate.unprocessed)));
    }
    const answer = await forward(incoming, body);
    if (fate === 'lost') return incoming.socket.destroy();
    return answerWith(outgoing, answer.status, answer.body);
  };

  const server = createServer(async (incoming, outgoing) => {
    const isBatch = String(incoming.headers['x-amz-target']).endsWith('.BatchWriteItem');
    if (isBatch) batches += 1;
    await meet(isBatch ? await decide(batches) : 'through', incoming, outgoing);
  });
  const data = temporaryFolder();
  const outputs = JSON.parse(readFileSync(join(run.data, 'outputs.json'), 'utf8'));
  const DynamoDbEndpoint = await listen(server, 0);
  writeFileSync(join(data, 'outputs.json'), JSON.stringify({ ...outputs, DynamoDbEndpoint }));
  return {
    data,
    batches: () => batches,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const refuse = (outgoing: ServerResponse, type: string, message: string) =>
  answerWith(outgoing, 400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));

const answerWith = (outgoing: ServerResponse, status: number, body: string | Buffer) =>
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);
