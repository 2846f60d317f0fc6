import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckFailure } from '../outcome.ts';

const OTHER_SERVICE = 'this is not the service: check --base-url, and proxies in between';

export const LONGEST_RESPONSE_BYTES = 20 * 1024 * 1024;

/** The endpoint for a bare socket. An IP address must not be sent as a server name. */
export const endpointOf = (baseUrl: string) => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const usualPort = protocol === 'https:' ? 443 : 80;
  return { host, port: Number(port || usualPort), servername: isIP(host) ? '' : host };
};

export const openRequest = (url: string, options: RequestOptions): ClientRequest => {
  const request = (url.startsWith('https:') ? https : http).request(url, options);
  // The response may come before the body is sent. A failure to send the rest is then no error.
  request.on('error', () => {});
  return request;
};

export const receiveResponse = async (request: ClientRequest) => {
  const incoming = await Promise.race([
    once(request, 'response').then(([response]: IncomingMessage[]) => response),
    // Without this, the process would exit when the connection ends without a response.
    once(request, 'close').then(() => undefined),
  ]);
  if (!incoming) throw new CheckFailure('the connection ended without a response', OTHER_SERVICE);
  const { statusCode: status = 0, headers, httpVersion } = incoming;
  return { status, headers, httpVersion, bytes: await readBody(incoming) };
};

const readBody = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.byteLength;
    if (size > LONGEST_RESPONSE_BYTES)
      throw new CheckFailure('the response is longer than 20 MB', OTHER_SERVICE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** curl also sends the body after one second without 100 Continue. */
const LONGEST_WAIT_MS = 1_000;

/** The time until 100 Continue. Undefined if it did not come. */
export const waitForContinue = async (request: ClientRequest, response: Promise<unknown>) => {
  const startedAt = performance.now();
  return await Promise.race([
    once(request, 'continue').then(() => Math.round(performance.now() - startedAt)),
    response.then(() => undefined),
    sleep(LONGEST_WAIT_MS),
  ]);
};
