import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { operations } from '../../../shared/operations.ts';
import type { Check } from '../check.ts';
import { endpointOf } from '../endpoint.ts';
import { LONGEST_ANSWER_BYTES } from '../exchange.ts';
import { note, ok, Wrong } from '../outcome.ts';
import type { ProbeClient } from '../probe-client.ts';

const AT_THE_CLIENT = 'let such clients use 1.1 (PHP streams: protocol_version 1.1)';
const REFUSES_THE_VERSION = [426, 505];

/** PHP's streams and many a script of their own speak it; nothing may come in chunks then. */
export const http10: Check = {
  name: 'http-1.0',
  signsIn: true,
  run: async (visit) => {
    const received = await exchange(visit);
    const [head = ''] = received.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
    if (REFUSES_THE_VERSION.includes(status))
      return note(`answered ${status}: not spoken here`, AT_THE_CLIENT);
    if (status !== 200) {
      throw new Wrong(
        status === 0 ? 'no HTTP answer came before the end' : `answered ${status} to HTTP/1.0`,
        AT_THE_CLIENT,
      );
    }
    if (/^transfer-encoding:/im.test(head)) {
      throw new Wrong('the answer to HTTP/1.0 came in chunks, which 1.0 does not know', AT_THE_CLIENT);
    }
    return ok('200, not in chunks');
  },
};

const exchange = async (visit: ProbeClient) => {
  const { baseUrl } = visit.service;
  const { path, method } = operations['get-purchase-orders'];
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  const headers = { Host: host, Connection: 'close', ...visit.headersOf({ method, path }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { socket, isOpen } = openSocket(baseUrl);
  socket.on('error', () => {});
  const closeOnTime = () => socket.destroy(new Error('Late.'));
  visit.signal.addEventListener('abort', closeOnTime);
  try {
    await once(socket, isOpen);
    socket.write(`${method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`);
    return await textOf(socket);
  } finally {
    visit.signal.removeEventListener('abort', closeOnTime);
    socket.destroy();
  }
};

const openSocket = (baseUrl: string) =>
  baseUrl.startsWith('https:')
    ? { socket: connectSecurely(endpointOf(baseUrl)), isOpen: 'secureConnect' }
    : { socket: connectPlainly(endpointOf(baseUrl)), isOpen: 'connect' };

const textOf = async (socket: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > LONGEST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('latin1');
};
