import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyOf, listen } from '../../../local/http.ts';
import { send } from '../../support/http-client.ts';

export type Asked = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** As they came over the wire. */
  headerNames: string[];
  httpVersion: string;
  body: Buffer;
  /** How many requests have come over the same connection before. */
  before: number;
};

export type Reply = { status: number; headers: Record<string, string>; bytes: Buffer };

type Pass = (changes?: { headers?: Record<string, string> }) => Promise<Reply>;

export type Spoil = {
  /** Answers in the place of the service, or after it has been asked; bytes go out as they are, and none end it. */
  reply?: (asked: Asked, pass: Pass) => Reply | string | Promise<Reply | string>;
  /** Instead of 100 Continue; undefined says nothing. */
  onExpect?: (outgoing: ServerResponse) => void;
};

/** The service behind a proxy that spoils what it is told to. */
export const startProxy = async (target: string) => {
  const { origin, pathname } = new URL(target);
  const counts = new WeakMap<Socket, number>();
  let spoil: Spoil = {};

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const asked = await readAsked(incoming, counts);
    const pass: Pass = (changes = {}) => forward(origin, asked, changes);
    const reply = await (spoil.reply?.(asked, pass) ?? pass());
    if (typeof reply === 'string') return incoming.socket.end(reply);
    outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': reply.bytes.byteLength });
    return outgoing.end(reply.bytes);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => {
    if (spoil.onExpect) spoil.onExpect(outgoing);
    else outgoing.writeContinue();
    void serve(incoming, outgoing);
  });
  return {
    baseUrl: `${await listen(server, 0)}${pathname}`,
    use: (next: Spoil) => {
      spoil = next;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const readAsked = async (incoming: IncomingMessage, counts: WeakMap<Socket, number>): Promise<Asked> => {
  const { socket, method = '', url = '', headers, rawHeaders, httpVersion } = incoming;
  const before = counts.get(socket) ?? 0;
  counts.set(socket, before + 1);
  const headerNames = rawHeaders.filter((_, index) => index % 2 === 0);
  return { method, path: url, headers, headerNames, httpVersion, body: await bodyOf(incoming), before };
};

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

const withoutSome = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NOT_PASSED_ON.has(name))
      .map(([name, value]) => [name, String(value)]),
  );

const forward = async (
  origin: string,
  { method, path, headers, body }: Asked,
  { headers: more = {} }: { headers?: Record<string, string> },
): Promise<Reply> => {
  const answer = await send(`${origin}${path}`, {
    method,
    headers: { ...withoutSome(headers), ...more },
    body,
  });
  return { status: answer.status, headers: withoutSome(answer.headers), bytes: answer.bytes };
};
