import { once } from 'node:events';
import net from 'node:net';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { operations } from '../../shared/operations.ts';
import { DAY_MS } from '../../shared/time.ts';
import { type Facts, NotAsked } from '../fact.ts';
import type { Client } from '../http/client.ts';
import { describe, describeFaults } from '../http/describe.ts';
import { FAULTY_CHANGE } from './operations.ts';

// OpenSSL allows the old versions only at its lowest security level.
const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const MIN_DAYS = 14;
const LONG_ENOUGH = `valid for ${MIN_DAYS} days or more`;

/** Sends nothing. The fact `reach` verifies the certificate. Returns undefined if the service refuses. */
const shakeHands = async (client: Client, options: tls.ConnectionOptions) => {
  if (!client.endpoint.isSecure) throw new NotAsked('the base URL is http');
  const socket = tls.connect({ ...client.endpoint, rejectUnauthorized: false, ...options });
  socket.on('error', () => {});
  addAbortSignal(client.signal, socket);
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } catch (error) {
    if (client.signal.aborted) throw error;
    return undefined;
  } finally {
    socket.destroy();
  }
};

export const tlsFacts: Facts = {
  tls: {
    text: 'accepts 1.2, refuses 1.0 and 1.1',
    see: async (client) => {
      const usual = await shakeHands(client, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
      const old = await shakeHands(client, OLD);
      return `${usual ? 'accepts' : 'refuses'} 1.2, ${old ? 'accepts 1.0 or 1.1' : 'refuses 1.0 and 1.1'}`;
    },
    todo: 'old clients need 1.2 (securityPolicy in infra/api/rest-api.ts): look for a proxy in between; a new policy takes 15 minutes',
  },
  certificate: {
    text: LONG_ENOUGH,
    see: async (client) => {
      const { valid_to: end } = (await shakeHands(client, {})) ?? {};
      const days = end ? Math.floor((Date.parse(end) - Date.now()) / DAY_MS) : 0;
      return days >= MIN_DAYS ? LONG_ENOUGH : `expires in ${days} days`;
    },
    todo: 'renew it; ACM renews it automatically while the DNS record for its validation exists',
  },
};

/** Returns the status line and the headers. Node's HTTP client cannot send HTTP/1.0. */
const requestOverHttp10 = async (client: Client) => {
  const operation = operations['get-purchase-orders'];
  const { pathname, host } = new URL(`${client.service.baseUrl}${operation.path}`);
  const headers = { Host: host, Connection: 'close', ...client.headersFor(operation) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { endpoint } = client;
  const socket = endpoint.isSecure ? tls.connect(endpoint) : net.connect(endpoint);
  addAbortSignal(client.signal, socket);
  socket.write(`${operation.method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`);
  const [head = ''] = (await text(socket)).split('\r\n\r\n', 1);
  return head;
};

/** The list of faults is long enough to be compressed. */
const MANY_FAULTS = JSON.stringify(Object.fromEntries(Array.from({ length: 120 }, (_, index) => [index, 0])));

/** What a proxy or a firewall in between may break. */
export const connectionFacts: Facts = {
  'gzip-response': {
    text: '400 application/problem+json, compressed only if that is requested',
    see: async (client) => {
      const plain = await client.post('post-change', MANY_FAULTS);
      const packed = await client.post('post-change', MANY_FAULTS, { 'Accept-Encoding': 'gzip' });
      if (plain.headers['content-encoding']) return 'compressed without a request for it';
      if (packed.headers['content-encoding'] !== 'gzip') return 'not compressed';
      gunzipSync(packed.bytes);
      return `${describe(plain)}, compressed only if that is requested`;
    },
    todo: 'deploy again (minCompressionSize), or find the proxy or CDN that changes it',
  },
  'gzip-request': {
    text: 'gzip 400 #/Timestamp, deflate 400 #/Timestamp',
    see: async (client) => {
      const send = (coding: string, body: Buffer) =>
        client.post('post-change', body, { 'Content-Encoding': coding });
      const gzip = describeFaults(await send('gzip', gzipSync(FAULTY_CHANGE)));
      return `gzip ${gzip}, deflate ${describeFaults(await send('deflate', deflateSync(FAULTY_CHANGE)))}`;
    },
    todo: 'deploy again (minCompressionSize), or find the proxy that decompresses',
  },
  // PHP streams and home-made clients use it. It has no chunked bodies.
  'http-1.0': {
    text: '200, not chunked',
    see: async (client) => {
      const head = await requestOverHttp10(client);
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 'no status';
      return `${status}, ${/^transfer-encoding:/im.test(head) ? 'chunked' : 'not chunked'}`;
    },
    todo: 'let such clients use 1.1 (PHP streams: protocol_version 1.1)',
  },
  'expect-continue': {
    text: '100 Continue, then 400 #/Timestamp',
    see: async (client) => {
      const response = await client.post('post-change', FAULTY_CHANGE, { Expect: '100-continue' });
      return `${response.isContinued ? '100' : 'no 100'} Continue, then ${describeFaults(response)}`;
    },
    todo: "clients wait 1 s on each POST: switch it off, curl -H 'Expect:', .NET Expect100Continue=false",
  },
};
