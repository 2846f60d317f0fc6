import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/**
 * Refuses malformed HTTP and closes the connection. Earlier requests on the connection get their responses first.
 * Without this, Node's server would refuse at once, and those responses would be lost.
 */
export const refuseBadRequests = (server: Server) => {
  const exchangesBySocket = new WeakMap<Duplex, Set<Exchange>>();

  for (const event of ['request', 'checkContinue']) {
    server.prependListener(event, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const exchanges = exchangesBySocket.get(incoming.socket) ?? new Set();
      const exchange = { incoming, outgoing };
      exchangesBySocket.set(incoming.socket, exchanges.add(exchange));
      outgoing.once('close', () => exchanges.delete(exchange));
    });
  }

  const refused = new WeakSet<Duplex>();
  server.on('clientError', async (error: Error & { code?: string }, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const complete = [...(exchangesBySocket.get(socket) ?? [])].filter(({ incoming }) => incoming.complete);
    // `allSettled`, because a failed exchange has also ended.
    await Promise.allSettled(complete.map(({ outgoing }) => once(outgoing, 'close')));
    if (!socket.writable) return socket.destroy();
    socket.end(refusal(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    // Reads the rest. If bytes stay unread, the connection is reset, and the client may not get the refusal.
    socket.resume();
    return setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
};

/** The time that a client has to close its side of the connection. */
const LINGER_MS = 1_000;

const refusal = (status: number) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
