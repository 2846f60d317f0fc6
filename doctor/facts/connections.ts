import { once } from 'node:events';
import net from 'node:net';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { operations } from '../../shared/operations.ts';
import { DAY_MS } from '../../shared/time.ts';
import { type Facts, NotChecked, responseFact } from '../fact.ts';
import type { Caller } from '../http/caller.ts';
import { observe, problem } from '../http/expectations.ts';
import { REFUSED_CHANGE, WRONG_CHANGE } from './operations.ts';

// OpenSSL allows the old versions only at its lowest security level.
const OLD_TLS = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const MIN_DAYS = 14;

/** Does not verify the certificate, because the fact `reach` does. Returns undefined if the service refuses the handshake. */
const shakeHands = async (caller: Caller, options: tls.ConnectionOptions) => {
  if (!caller.socketTarget.isSecure) throw new NotChecked('the base URL is http');
  const socket = tls.connect({ ...caller.socketTarget, rejectUnauthorized: false, ...options });
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
    text: 'accepts 1.2, refuses 1.0 and 1.1',
    check: async (caller) => {
      const newVersion = await shakeHands(caller, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
      const oldVersion = await shakeHands(caller, OLD_TLS);
      const seen = `${newVersion ? 'accepts' : 'refuses'} 1.2, ${oldVersion ? 'accepts 1.0 or 1.1' : 'refuses 1.0 and 1.1'}`;
      return { holds: newVersion !== undefined && oldVersion === undefined, seen };
    },
    todo: 'old programs need 1.2 (securityPolicy in infra/api/rest-api.ts): look for a proxy in between; a new policy takes 15 minutes',
  },
  certificate: {
    text: `valid for ${MIN_DAYS} days or more`,
    check: async (caller) => {
      const { valid_to: end } = (await shakeHands(caller, {})) ?? {};
      const days = end ? Math.floor((Date.parse(end) - Date.now()) / DAY_MS) : 0;
      return { holds: days >= MIN_DAYS, seen: `expires in ${days} days` };
    },
    todo: 'renew it; ACM renews it automatically while the DNS record for its validation exists',
  },
};

/** Node itself cannot send HTTP/1.0. */
const requestOverHttp10 = async (caller: Caller) => {
  const operation = operations['get-purchase-orders'];
  const { pathname, host } = new URL(`${caller.login.baseUrl}${operation.path}`);
  const headers = { Host: host, Connection: 'close', ...caller.headersFor(operation) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { socketTarget } = caller;
  const socket = socketTarget.isSecure ? tls.connect(socketTarget) : net.connect(socketTarget);
  addAbortSignal(caller.signal, socket);
  socket.write(`${operation.method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`);
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  const [, coding = ''] = /^transfer-encoding: *(.*)/im.exec(head) ?? [];
  const bytes = Buffer.from(body.join('\r\n\r\n'));
  return caller.keep({ status, headers: { 'transfer-encoding': coding }, bytes, isContinued: false });
};

/** The list of errors is long enough to be compressed. */
const MANY_ERRORS = JSON.stringify(Object.fromEntries(Array.from({ length: 120 }, (_, index) => [index, 0])));

/** What a proxy or a firewall in between may break. */
export const connectionFacts: Facts = {
  'gzip-response': {
    text: 'plain 400 application/problem+json, on request gzip 400 application/problem+json',
    check: async (caller) => {
      const plain = await caller.post('post-change', MANY_ERRORS);
      const compressed = await caller.post('post-change', MANY_ERRORS, { 'Accept-Encoding': 'gzip' });
      const first = observe(plain, { coding: undefined, ...problem(400) });
      const second = observe(compressed, { coding: 'gzip', ...problem(400) });
      if (compressed.headers['content-encoding'] === 'gzip') gunzipSync(compressed.bytes);
      return { holds: first.holds && second.holds, seen: `${first.seen}, on request ${second.seen}` };
    },
    todo: 'deploy again (minCompressionSize), or find the proxy or CDN that changes the response',
  },
  'gzip-request': {
    text: 'gzip 400 #/Timestamp, deflate 400 #/Timestamp',
    check: async (caller) => {
      const send = async (coding: string, body: Buffer) =>
        observe(await caller.post('post-change', body, { 'Content-Encoding': coding }), REFUSED_CHANGE);
      const gzip = await send('gzip', gzipSync(WRONG_CHANGE));
      const deflate = await send('deflate', deflateSync(WRONG_CHANGE));
      return { holds: gzip.holds && deflate.holds, seen: `gzip ${gzip.seen}, deflate ${deflate.seen}` };
    },
    todo: 'deploy again (minCompressionSize), or find the proxy that decompresses requests',
  },
  // PHP streams and home-made programs use HTTP/1.0, which has no chunked bodies.
  'http-1.0': responseFact({ status: 200, isChunked: false }, requestOverHttp10, {
    todo: 'let programs change from 1.0 to 1.1 (PHP streams: protocol_version 1.1)',
  }),
  'expect-continue': responseFact(
    { isContinued: true, ...REFUSED_CHANGE },
    (caller) => caller.post('post-change', WRONG_CHANGE, { Expect: '100-continue' }),
    { todo: "programs wait 1 s a POST: switch Expect off, curl -H 'Expect:', .NET Expect100Continue=false" },
  ),
};
