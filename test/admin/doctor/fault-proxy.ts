import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyOf, listen } from '../../../local/http.ts';
import { send } from '../../support/http-client.ts';

export type Request = IncomingMessage & {
  body: Buffer;
  /** How many requests came over the same connection before. */
  earlier: number;
};

export type Reply = { status: number; headers: Record<string, string>; bytes: Buffer };

type Forward = (moreHeaders?: Record<string, string>) => Promise<Reply>;

export type Fault = {
  /** A text goes out as it is, and ends the connection. */
  reply?: (request: Request, forward: Forward) => Reply | string | Promise<Reply | string>;
  ignoresExpect?: boolean;
};

/** Forwards requests of the doctor to the service, and injects one fault. */
export const startFaultProxy = async (target: string) => {
  const { origin, pathname } = new URL(target);
  const counts = new WeakMap<Socket, number>();
  let fault: Fault = {};

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await readRequest(incoming, counts);
    const forward: Forward = (moreHeaders = {}) => forwardRequest(origin, request, moreHeaders);
    const reply = await (fault.reply?.(request, forward) ?? forward());
    if (typeof reply === 'string') return incoming.socket.end(reply);
    outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': reply.bytes.byteLength });
    return outgoing.end(reply.bytes);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => {
    if (!fault.ignoresExpect) outgoing.writeContinue();
    void serve(incoming, outgoing);
  });
  return {
    baseUrl: `${await listen(server, 0)}${pathname}`,
    inject: (next: Fault) => {
      fault = next;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const readRequest = async (incoming: IncomingMessage, counts: WeakMap<Socket, number>): Promise<Request> => {
  const earlier = counts.get(incoming.socket) ?? 0;
  counts.set(incoming.socket, earlier + 1);
  return Object.assign(incoming, { body: await bodyOf(incoming), earlier });
};

const HOP_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

const endToEnd = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_HEADERS.has(name))
      .map(([name, value]) => [name, String(value)]),
  );

const forwardRequest = async (
  origin: string,
  { method = '', url, headers, body }: Request,
  moreHeaders: Record<string, string>,
): Promise<Reply> => {
  const sent = { method, headers: { ...endToEnd(headers), ...moreHeaders }, body };
  const { status, bytes, ...answer } = await send(`${origin}${url}`, sent);
  return { status, headers: endToEnd(answer.headers), bytes };
};
