import { once } from 'node:events';
import { type Agent, type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { connect } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';

export type SentRequest = {
  method?: string;
  /** A name is sent in this letter case. A list is sent as one header for each value. */
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  agent?: Agent;
  /** The path of the request line, byte for byte. Node would normalize a URL. */
  path?: string;
};

export type HttpResponse = Awaited<ReturnType<typeof send>>;

export const requestOf = (url: string, options: RequestOptions) =>
  (url.startsWith('https:') ? requestSecurely : requestPlainly)(url, options);

const unpack = (bytes: Buffer, coding: string | undefined) => {
  if (bytes.byteLength === 0) return bytes;
  if (coding === 'gzip') return gunzipSync(bytes);
  return coding === 'deflate' ? inflateSync(bytes) : bytes;
};

/** Sends one request and follows no redirect. The response has the received bytes, and the decompressed text. */
export const send = async (
  url: string,
  { method = 'GET', headers = {}, body, agent, path }: SentRequest = {},
) => {
  // Node sets no length for the body of a GET.
  const length =
    body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const outgoing = requestOf(url, {
    method,
    headers: { ...length, ...headers },
    ...(agent ? { agent } : {}),
    ...(path === undefined ? {} : { path }),
  });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('No response came.');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = unpack(bytes, incoming.headers['content-encoding']).toString();
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    bytes,
    text,
    json: () => JSON.parse(text),
  };
};

export const basic = (userName: string, password: string) =>
  `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;

/** A bare connection, for text that no client library would send. */
export const openSocket = async (url: string) => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay();
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return {
    host,
    write: (text: string) => socket.write(text),
    received: () => received,
    /** Waits until the received text matches. */
    until: async (pattern: RegExp) => {
      while (!pattern.test(received)) {
        if (socket.closed) throw new Error(`The connection ended after: ${received}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
    closed,
    isClosed: () => socket.closed,
    destroy: () => socket.destroy(),
  };
};

/** The statuses of all responses in the text that a connection received. */
export const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
