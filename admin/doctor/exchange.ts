import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlainly,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import { Wrong } from './outcome.ts';

export type Outgoing = {
  method: string;
  /** In the letter case that goes over the wire. */
  headers: Record<string, string>;
  signal: AbortSignal;
  agent?: Agent | undefined;
};

/** What came back, unpacked by nobody. */
export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  httpVersion: string;
};

const NO_SERVICE = 'that is not this service: check --base-url, and proxies in between';

export const LONGEST_ANSWER_BYTES = 20 * 1024 * 1024;

/** A connection of its own for each request, as most of the old clients make it. */
export const openRequest = (url: string, { agent, ...options }: Outgoing): ClientRequest => {
  const open = url.startsWith('https:') ? requestSecurely : requestPlainly;
  const request = open(url, { ...options, agent: agent ?? false });
  // An answer may come before all is sent; that the rest can no longer be sent is no fault then.
  request.on('error', () => {});
  return request;
};

export const answerTo = async (request: ClientRequest): Promise<Answer> => {
  const incoming = await responseTo(request);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    bytes: await bytesOf(incoming),
    httpVersion: incoming.httpVersion,
  };
};

/** Of all that a server may do, something has to settle this: a process that waits for nothing just ends. */
const responseTo = (request: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Wrong('answered 101: it goes over to another protocol, though not asked to', NO_SERVICE));
    });
    request.once('close', () => reject(new Wrong('the connection ended without an answer', NO_SERVICE)));
  });

const bytesOf = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.byteLength;
    if (size > LONGEST_ANSWER_BYTES) {
      throw new Wrong('the answer goes on past 20 MB', NO_SERVICE);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
