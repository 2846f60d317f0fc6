import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bodyOf, listen } from '../../../local/http.ts';
import { type Item, itemBytes, readUnits, writeUnits } from './rules.ts';

/** A call as it reached the engine: what it carried, what the engine charges for it, and what the rules do. */
export type Call = {
  operation: string;
  segment: number;
  items: number;
  bytes: number;
  engineUnits: number;
  units: number;
};

type Sent = { Item?: Item; Segment?: number };
type Answered = { Items?: Record<string, AttributeValue>[]; ConsumedCapacity?: { CapacityUnits?: number } };

/** Stands between a store and the engine, and asks the engine with each call what it charges. */
export const startRecorder = async (engine: string) => {
  const calls: Call[] = [];
  const seen = new Set<string>();
  const record = (asked: string, call: Call) => {
    // A busy machine lets a call run out of its time, and the store sends the same once more.
    if (seen.has(asked)) return;
    seen.add(asked);
    calls.push(call);
  };
  const server = createServer((incoming, outgoing) => {
    pass(engine, incoming, outgoing, record).catch(() => incoming.socket.destroy());
  });
  const endpoint = await listen(server, 0);
  return {
    endpoint,
    /** Of all calls since the last time; one that was sent twice is there once. */
    take: () => {
      seen.clear();
      return calls.splice(0);
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Recorded = (asked: string, call: Call) => void;

const pass = async (
  engine: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  record: Recorded,
) => {
  const sent = JSON.parse((await bodyOf(incoming)).toString());
  const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
  const asked = JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' });
  const { status, headers, body } = await forward(engine, incoming, asked);
  record(asked, callOf(operation, sent, JSON.parse(body.toString())));
  outgoing.writeHead(status, headers).end(body);
};

const forward = async (engine: string, incoming: IncomingMessage, body: string) => {
  const outgoing = request(engine, {
    method: 'POST',
    headers: { ...incoming.headers, 'content-length': Buffer.byteLength(body) },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.on('response', resolve).on('error', reject),
  );
  outgoing.end(body);
  const answer = await answered;
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await bodyOf(answer) };
};

const callOf = (operation: string, { Item, Segment = 0 }: Sent, answer: Answered): Call => {
  const items = Item ? [Item] : (answer.Items ?? []);
  const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
  return {
    operation,
    segment: Segment,
    items: items.length,
    bytes,
    engineUnits: answer.ConsumedCapacity?.CapacityUnits ?? 0,
    units: Item ? writeUnits(bytes) : readUnits(bytes),
  };
};
