import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bodyOf, listen } from '../../local/http.ts';
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

type Writes = Record<string, { PutRequest: { Item: Item } }[]>;
type Sent = { Item?: Item; RequestItems?: Writes; Segment?: number };
type Capacity = { CapacityUnits?: number };
type Answered = {
  Items?: Record<string, AttributeValue>[];
  UnprocessedItems?: Writes;
  /** A list of them where a call may be about several tables. */
  ConsumedCapacity?: Capacity | Capacity[];
};

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

const callOf = (operation: string, sent: Sent, answer: Answered): Call => ({
  operation,
  segment: sent.Segment ?? 0,
  ...chargeOf(sent, answer),
  engineUnits: sum([answer.ConsumedCapacity ?? []].flat().map(({ CapacityUnits = 0 }) => CapacityUnits)),
});

const chargeOf = ({ Item, RequestItems }: Sent, { Items = [], UnprocessedItems = {} }: Answered) => {
  if (Item) return written([Item]);
  if (RequestItems) return difference(written(itemsIn(RequestItems)), written(itemsIn(UnprocessedItems)));
  const bytes = sum(Items.map(itemBytes));
  return { items: Items.length, bytes, units: readUnits(bytes) };
};

const itemsIn = (writes: Writes) =>
  Object.values(writes).flatMap((puts) => puts.map(({ PutRequest }) => PutRequest.Item));

type Charge = Pick<Call, 'items' | 'bytes' | 'units'>;

/** Each item by itself: that several are written in one call makes none of them cheaper. */
const written = (items: readonly Item[]): Charge => {
  const sizes = items.map(itemBytes);
  return { items: items.length, bytes: sum(sizes), units: sum(sizes.map(writeUnits)) };
};

/** What the engine left over was sent, but not written. */
const difference = (sent: Charge, left: Charge): Charge => ({
  items: sent.items - left.items,
  bytes: sent.bytes - left.bytes,
  units: sent.units - left.units,
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
