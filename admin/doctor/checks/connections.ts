import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { addAbortSignal } from 'node:stream';
import tls from 'node:tls';
import { operations } from '../../../shared/operations.ts';
import { CheckFailure, note, ok } from '../outcome.ts';
import { endpointOf } from '../probe/connection.ts';
import { describeResponse, expectSnapshot, expectSuccess } from '../probe/expectations.ts';
import type { ProbeClient } from '../probe/probe-client.ts';
import { makeBatch } from './operations.ts';

const USE_1_1 = 'let such clients use 1.1 (PHP streams: protocol_version 1.1)';

/** PHP streams and home-made clients use HTTP/1.0, which has no chunked bodies. */
export const checkHttp10 = async (client: ProbeClient) => {
  const head = await requestOverHttp10(client);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status === '426' || status === '505') return note(`answered ${status}: not supported here`, USE_1_1);
  if (status === undefined) throw new CheckFailure('the connection ended without an HTTP response', USE_1_1);
  if (status !== '200') throw new CheckFailure(`answered ${status} to HTTP/1.0`, USE_1_1);
  if (/^transfer-encoding:/im.test(head)) {
    throw new CheckFailure('the response to HTTP/1.0 is chunked, which 1.0 does not support', USE_1_1);
  }
  return ok('200, not chunked');
};

const LONGEST_HEAD = 64 * 1024;

/** Returns the status line and the headers. Node's HTTP client cannot send HTTP/1.0. */
const requestOverHttp10 = async (client: ProbeClient) => {
  const { baseUrl } = client.session;
  const operation = operations['get-purchase-orders'];
  const { pathname, host } = new URL(`${baseUrl}${operation.path}`);
  const headers = { Host: host, Connection: 'close', ...client.headersFor(operation) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const endpoint = endpointOf(baseUrl);
  const socket = baseUrl.startsWith('https:') ? tls.connect(endpoint) : net.connect(endpoint);
  addAbortSignal(client.signal, socket);
  socket.on('error', () => {});
  socket.write(`${operation.method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`);
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes('\r\n\r\n') || received.length > LONGEST_HEAD) break;
  }
  return received.split('\r\n\r\n', 1).join();
};

const PROXY_TIMEOUTS = 'check the timeouts of a proxy or load balancer in between';

export const checkKeptConnection = async (client: ProbeClient) => {
  const { Agent } = client.session.baseUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const request = { ...operations['get-purchase-orders'], agent };
    expectSuccess(await client.send(request), PROXY_TIMEOUTS);
    expectSuccess(await client.send(request), PROXY_TIMEOUTS);
    return ok('two requests, two responses');
  } finally {
    agent.destroy();
  }
};

const SWITCH_OFF = "switch it off at the client: curl -H 'Expect:', .NET Expect100Continue=false";

export const checkExpectContinue = async (client: ProbeClient) => {
  const headers = { Expect: '100-continue' };
  const response = await client.post('post-material-stock-balance', makeBatch(200), headers);
  const { status, continuedAfterMs } = response;
  if (status === 417) throw new CheckFailure(describeResponse(response), SWITCH_OFF);
  expectSnapshot(response, 200, `if batch-21kb is ok, ${SWITCH_OFF}`);
  return continuedAfterMs === undefined
    ? note('200, but no 100 Continue within 1 s: curl and .NET wait this long on each POST', SWITCH_OFF)
    : ok(`100 Continue after ${continuedAfterMs} ms, then 200`);
};
