import { once } from 'node:events';
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
  const [incoming]: IncomingMessage[] = await once(request, 'response');
  if (!incoming) throw new Error('The request ended without an answer.');
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    bytes: await bytesOf(incoming),
    httpVersion: incoming.httpVersion,
  };
};

const bytesOf = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.byteLength;
    if (size > LONGEST_ANSWER_BYTES) {
      throw new Wrong('the answer goes on past 20 MB', 'that is not this service: check --base-url');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
