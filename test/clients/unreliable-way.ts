import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyOf, listen } from '../../local/http.ts';
import { type Answer, send } from '../support/http-client.ts';

/** An answer by the way itself; where it is halved, the rest of the body never comes. */
type Finite = { status: number; headers?: Record<string, string>; body?: string; isHalved?: boolean };

/** An answer that comes byte by byte and has no end, in chunks where it tells no length. */
type Endless = { status: number; headers: Record<string, string>; isEndless: true };

export type Reply = Finite | Endless;

/** What becomes of a request: such a reply, a connection that ends before, within or after the answer, or silence. */
export type Trouble = Reply | 'cut' | 'halve' | 'lose' | 'stall';

type Arrival = { path: string; body: string; at: number };

/** Stands between a client and the service; of the requests that arrive, those with a trouble meet it. */
export const startUnreliableWay = async (
  baseUrl: string,
  troubleOf: (index: number) => Trouble | undefined,
) => {
  const service = new URL(baseUrl);
  const arrivals: Arrival[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const path = incoming.url ?? '';
    const at = performance.now();
    const trouble = troubleOf(arrivals.push({ path, body: body.toString(), at }) - 1);
    if (trouble === 'stall') return;
    if (trouble === 'cut') return void incoming.socket.destroy();
    if (typeof trouble === 'object') return reply(outgoing, trouble);
    const answer = await passOn(service.origin, incoming, body);
    if (trouble === 'lose') return void incoming.socket.destroy();
    outgoing.writeHead(answer.status, answer.headers);
    if (trouble === 'halve') return endHalfway(outgoing, answer.bytes);
    outgoing.end(answer.bytes);
  });
  const address = await listen(server, 0);
  return {
    baseUrl: address + service.pathname,
    arrivals,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const reply = (outgoing: ServerResponse, wanted: Reply) => {
  if ('isEndless' in wanted) return drip(outgoing, wanted);
  const { status, headers, body = '', isHalved } = wanted;
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { 'Content-Length': bytes.byteLength, ...headers });
  if (isHalved) endHalfway(outgoing, bytes);
  else outgoing.end(bytes);
};

const endHalfway = (outgoing: ServerResponse, bytes: Answer['bytes']) => {
  outgoing.write(bytes.subarray(0, bytes.byteLength / 2), () => outgoing.destroy());
};

const drip = (outgoing: ServerResponse, { status, headers }: Endless) => {
  outgoing.writeHead(status, headers);
  const dripping = setInterval(() => outgoing.write(' '), 200);
  outgoing.on('close', () => clearInterval(dripping));
};

/** Headers go on but for those of the one connection. */
const passOn = (origin: string, { url, method = 'GET', headers }: IncomingMessage, body: Buffer) => {
  const { host: _, connection: __, expect: ___, 'content-length': ____, ...others } = headers;
  return send(origin + url, {
    method,
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    ...(method === 'POST' ? { body } : {}),
  });
};
