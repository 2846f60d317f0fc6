import { once } from 'node:events';
import net from 'node:net';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { operations } from '../../shared/operations.ts';
import { DAY_MS } from '../../shared/time.ts';
import { describedAs, type Facts, NotChecked } from '../fact.ts';
import type { Caller, Response } from '../http/caller.ts';
import { describe, describeErrors } from '../http/describe.ts';
import { WRONG_CHANGE } from './operations.ts';

// OpenSSL allows the old versions only at its lowest security level.
const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const MIN_DAYS = 14;

/** Sends nothing. The fact `reach` verifies the certificate. Returns undefined if the service refuses. */
const shakeHands = async (caller: Caller, options: tls.ConnectionOptions) => {
  if (!caller.endpoint.isSecure) throw new NotChecked('the base URL is http');
  const socket = tls.connect({ ...caller.endpoint, rejectUnauthorized: false, ...options });
  socket.on('error', () => {});
  addAbortSignal(caller.signal, socket);
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } catch (error) {
    if (caller.signal.aborted) throw error;
    return undefined;
  } finally {
    socket.destroy();
  }
};

export const tlsFacts: Facts = {
  tls: {
    ...describedAs('accepts 1.2, refuses 1.0 and 1.1', async (caller) => {
      const usual = await shakeHands(caller, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
      const old = await shakeHands(caller, OLD);
      return `${usual ? 'accepts' : 'refuses'} 1.2, ${old ? 'accepts 1.0 or 1.1' : 'refuses 1.0 and 1.1'}`;
    }),
    todo: 'old clients need 1.2 (securityPolicy in infra/api/rest-api.ts): look for a proxy in between; a new policy takes 15 minutes',
  },
  certificate: {
    text: `valid for ${MIN_DAYS} days or more`,
    see: async (caller) => {
      const { valid_to: end } = (await shakeHands(caller, {})) ?? {};
      const days = end ? Math.floor((Date.parse(end) - Date.now()) / DAY_MS) : 0;
      return { holds: days >= MIN_DAYS, seen: `expires in ${days} days` };
    },
    todo: 'renew it; ACM renews it automatically while the DNS record for its validation exists',
  },
};

/** Returns the status and the head. Node itself cannot send HTTP/1.0. */
const requestOverHttp10 = async (caller: Caller) => {
  const operation = operations['get-purchase-orders'];
  const { pathname, host } = new URL(`${caller.login.baseUrl}${operation.path}`);
  const headers = { Host: host, Connection: 'close', ...caller.headersFor(operation) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { endpoint } = caller;
  const socket = endpoint.isSecure ? tls.connect(endpoint) : net.connect(endpoint);
  addAbortSignal(caller.signal, socket);
  socket.write(`${operation.method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`);
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  caller.keep({ status, headers: {}, bytes: Buffer.from(body.join('\r\n\r\n')), isContinued: false });
  return { status, head };
};

/** The list of errors is long enough to be compressed. */
const MANY_ERRORS = JSON.stringify(Object.fromEntries(Array.from({ length: 120 }, (_, index) => [index, 0])));

const REFUSED = '400 application/problem+json';

/** What a proxy or a firewall in between may break. */
export const connectionFacts: Facts = {
  'gzip-response': {
    ...describedAs(`plain ${REFUSED}, on request gzip ${REFUSED}`, async (caller) => {
      const codingOf = ({ headers }: Response) => headers['content-encoding'] ?? 'plain';
      const plain = await caller.post('post-change', MANY_ERRORS);
      const packed = await caller.post('post-change', MANY_ERRORS, { 'Accept-Encoding': 'gzip' });
      if (codingOf(plain) === 'plain' && codingOf(packed) === 'gzip') gunzipSync(packed.bytes);
      return `${codingOf(plain)} ${describe(plain)}, on request ${codingOf(packed)} ${describe(packed)}`;
    }),
    todo: 'deploy again (minCompressionSize), or find the proxy or CDN that changes it',
  },
  'gzip-request': {
    ...describedAs('gzip 400 #/Timestamp, deflate 400 #/Timestamp', async (caller) => {
      const send = (coding: string, body: Buffer) =>
        caller.post('post-change', body, { 'Content-Encoding': coding });
      const gzip = describeErrors(await send('gzip', gzipSync(WRONG_CHANGE)));
      return `gzip ${gzip}, deflate ${describeErrors(await send('deflate', deflateSync(WRONG_CHANGE)))}`;
    }),
    todo: 'deploy again (minCompressionSize), or find the proxy that decompresses',
  },
  // PHP streams and home-made clients use it. It has no chunked bodies.
  'http-1.0': {
    ...describedAs('200, not chunked', async (caller) => {
      const { status, head } = await requestOverHttp10(caller);
      return `${status || 'no status'}, ${/^transfer-encoding:/im.test(head) ? 'chunked' : 'not chunked'}`;
    }),
    todo: 'let such clients use 1.1 (PHP streams: protocol_version 1.1)',
  },
  'expect-continue': {
    ...describedAs('100 Continue, then 400 #/Timestamp', async (caller) => {
      const response = await caller.post('post-change', WRONG_CHANGE, { Expect: '100-continue' });
      return `${response.isContinued ? '100' : 'no 100'} Continue, then ${describeErrors(response)}`;
    }),
    todo: "clients wait 1 s on each POST: switch it off, curl -H 'Expect:', .NET Expect100Continue=false",
  },
};
