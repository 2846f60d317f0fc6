import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/**
 * Answers what is no HTTP and ends its connection, after the answers to what came whole before it on the same one: by
 * itself, the server would put its refusal in the place of an answer that tells what was kept.
 */
export const refuseBadRequests = (server: Server) => {
  const underWay = new WeakMap<Duplex, Set<Exchange>>();

  for (const event of ['request', 'checkContinue']) {
    server.prependListener(event, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const exchanges = underWay.get(incoming.socket) ?? new Set();
      const exchange = { incoming, outgoing };
      underWay.set(incoming.socket, exchanges.add(exchange));
      outgoing.once('close', () => exchanges.delete(exchange));
    });
  }

  const refused = new WeakSet<Duplex>();
  server.on('clientError', async (error: Error & { code?: string }, socket) => {
    // What comes after it is as wrong, and needs no second refusal.
    if (refused.has(socket)) return;
    refused.add(socket);
    const whole = [...(underWay.get(socket) ?? [])].filter(({ incoming }) => incoming.complete);
    // One that breaks on its way is over, too.
    await Promise.allSettled(whole.map(({ outgoing }) => once(outgoing, 'close')));
    if (!socket.writable) return socket.destroy();
    socket.end(refusal(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    // Ended with bytes unread, a connection is reset, and the refusal may get lost with it.
    socket.resume();
    return setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
};

/** For clients that do not end their half. */
const LINGER_MS = 1_000;

const refusal = (status: number) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
