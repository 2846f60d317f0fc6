import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyOf, listen } from '../../local/http.ts';
import { send } from '../support/http-client.ts';

/** What becomes of a request: an answer by the way itself, a connection that ends before or after the work, or silence. */
export type Trouble = { status: number; retryAfter?: number } | 'cut' | 'lose' | 'stall';

export const UNAVAILABLE = 'The store cannot take this now.';

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
    if (typeof trouble === 'object') return refuse(outgoing, trouble);
    const answer = await passOn(service.origin, incoming, body);
    if (trouble === 'lose') return void incoming.socket.destroy();
    outgoing.writeHead(answer.status, answer.headers).end(answer.bytes);
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

const refuse = (outgoing: ServerResponse, { status, retryAfter }: Exclude<Trouble, string>) => {
  outgoing.writeHead(status, {
    'Content-Type': 'application/problem+json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
  outgoing.end(JSON.stringify({ status, detail: UNAVAILABLE, requestId: 'of-the-way' }));
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
