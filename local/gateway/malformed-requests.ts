import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE, problem } from '../../shared/http/problem.ts';

/**
 * Refuses data that is not HTTP, and ends the connection. The complete requests of the connection get their responses
 * first. Otherwise, the sender would not learn that these requests were stored.
 */
export const refuseMalformedRequests = (server: Server) => {
  const responsesOf = new WeakMap<Duplex, Set<ServerResponse>>();
  const remember = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    const responses = responsesOf.get(socket) ?? new Set();
    responsesOf.set(socket, responses.add(outgoing));
    outgoing.once('close', () => responses.delete(outgoing));
  };
  server.prependListener('request', remember).prependListener('checkContinue', remember);

  const refusedSockets = new WeakSet<Duplex>();
  server.on('clientError', async (error: Error & { code?: string }, socket) => {
    if (refusedSockets.has(socket)) return;
    refusedSockets.add(socket);
    const responses = [...(responsesOf.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(responses.map((outgoing) => once(outgoing, 'close')));
    if (!socket.writable) return socket.destroy();
    socket.end(refusal(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    return setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  // By default, Node closes the connection of a CONNECT without a response. It no longer listens to errors of its socket.
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    server.emit('clientError', new Error('CONNECT'), socket);
  });
};

/** The time that the sender has to close its side of the connection. */
const LINGER_MS = 1_000;

const details = {
  400: 'This is not an HTTP request. The body of this request, or of the request before it, may not match its Content-Length.',
  431: 'The headers of this request are too long.',
};

const refusal = (status: keyof typeof details) => {
  const body = JSON.stringify(problem(undefined, details[status], randomUUID()));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Connection: close\r\n\r\n${body}`,
  ].join('\r\n');
};
