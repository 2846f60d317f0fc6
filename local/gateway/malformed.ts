import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/**
 * Answers what is no HTTP and ends its connection, after the answers to what came whole before it on the same one: by
 * itself, the server would put its refusal in the place of an answer that tells what was kept.
 */
export const refuseWhatIsNoHttp = (server: Server) => {
  const underWay = new WeakMap<Duplex, Set<Exchange>>();

  for (const event of ['request', 'checkContinue']) {
    server.prependListener(event, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const exchanges = underWay.get(incoming.socket) ?? new Set();
      const exchange = { incoming, outgoing };
      underWay.set(incoming.socket, exchanges.add(exchange));
      outgoing.once('close', () => exchanges.delete(exchange));
    });
  }

  server.on('clientError', async (error: Error & { code?: string }, socket) => {
    const whole = [...(underWay.get(socket) ?? [])].filter(({ incoming }) => incoming.complete);
    // One that breaks on its way is over, too.
    await Promise.allSettled(whole.map(({ outgoing }) => once(outgoing, 'close')));
    if (!socket.writable) socket.destroy();
    else socket.end(refusal(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400), () => socket.destroy());
  });
};

const refusal = (status: number) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
