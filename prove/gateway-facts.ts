import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { makeBatch } from '../admin/doctor/checks/operations.ts';
import type { ProbeClient, ProbeResponse } from '../admin/doctor/probe/probe-client.ts';
import { operations } from '../shared/operations.ts';
import { isRecord } from '../shared/schemas/json.ts';
import { MAX_BATCH_ENTRIES } from '../shared/schemas/limits.ts';
import type { Fact } from './fact.ts';

const MB = 1_000_000;
const BATCH = 'post-material-stock-balance';
const SMALL_ENTRIES = { prefix: 'D', orders: [] };

const UNKNOWN_PATH = '/rest/warehouse-control/nothing';
const GATEWAY = 'local/gateway/gateway.ts';
const PROBLEM = 'application/problem+json';

export const basicCredentials = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** The status and the content type, and the status in the body if it differs. */
export const describeAnswer = ({ status, headers, json }: ProbeResponse) => {
  const statusInBody = isRecord(json) && json['status'];
  const contradiction = statusInBody && statusInBody !== status ? `, but ${statusInBody} in the body` : '';
  return `${status} ${headers['content-type']}${contradiction}`;
};

const describeRequestId = ({ headers }: ProbeResponse) =>
  headers['x-amzn-requestid'] ? 'a request id' : 'no request id';

const sendChange = async (client: ProbeClient, encoding: string, pack: (text: string) => Buffer) => {
  const Timestamp = client.session.written.newTimestamp(client.session.now());
  const body = pack(JSON.stringify({ Timestamp }));
  const { status } = await client.post('post-change', body, { 'Content-Encoding': encoding });
  return `${encoding} ${status}`;
};

/** Facts that need an empty table. */
export const batchFacts: readonly Fact<ProbeClient>[] = [
  {
    name: 'the largest batch on a fresh table',
    expected: '200',
    model: 'test/support/fault-proxy.ts, where it simulates partitions',
    ask: async (client) =>
      String((await client.post(BATCH, makeBatch(MAX_BATCH_ENTRIES, SMALL_ENTRIES))).status),
  },
  {
    name: 'five batches of 20,000 at once',
    expected: '200 200 200 200 200',
    model: 'test/support/fault-proxy.ts, where it simulates partitions',
    ask: async (client) => {
      const body = makeBatch(MAX_BATCH_ENTRIES / 2, SMALL_ENTRIES);
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.post(BATCH, body)));
      return answers.map(({ status }) => status).join(' ');
    },
  },
];

/** Facts that need only a base URL. */
export const gatewayFacts: readonly Fact<ProbeClient>[] = [
  {
    name: 'a body of 6.5 MB',
    expected: `413 ${PROBLEM}, a request id`,
    model: GATEWAY,
    ask: async (client) => {
      const answer = await client.post(BATCH, `"${'a'.repeat(6.5 * MB)}"`);
      return `${describeAnswer(answer)}, ${describeRequestId(answer)}`;
    },
  },
  {
    name: 'a body of 11 MB',
    expected: '413 text; charset=utf-8 "HTTP content length exceeded 10485760 bytes.", no request id',
    model: 'local/gateway/payload.ts',
    ask: async (client) => {
      const answer = await client.post(BATCH, `"${'a'.repeat(11 * MB)}"`);
      return `${describeAnswer(answer)} ${JSON.stringify(answer.text.slice(0, 80))}, ${describeRequestId(answer)}`;
    },
  },
  {
    name: "a client's own x-amzn-RequestId",
    expected: 'is the requestId of the answer',
    model: 'local/gateway/request.ts',
    ask: async (client) => {
      const id = randomUUID();
      const headers = { 'x-amzn-RequestId': id };
      const { json } = await client.send({ method: 'GET', path: UNKNOWN_PATH, headers });
      const isTaken = isRecord(json) && json['requestId'] === id;
      return isTaken ? 'is the requestId of the answer' : 'is replaced';
    },
  },
  {
    name: 'responses with X-Amzn-Trace-Id',
    expected: 'from a function, not from an unknown path',
    model: 'local/gateway/answer.ts',
    ask: async (client) => {
      const answers = [
        await client.send(operations['get-purchase-orders']),
        await client.send({ method: 'GET', path: UNKNOWN_PATH }),
      ];
      const [ofFunction, ofMock] = answers.map(({ headers }) => 'x-amzn-trace-id' in headers);
      return `${ofFunction ? '' : 'not '}from a function, ${ofMock ? '' : 'not '}from an unknown path`;
    },
  },
  {
    name: 'compressed bodies of 50 bytes',
    expected: 'gzip 200, deflate 200',
    model: 'local/gateway/payload.ts',
    ask: async (client) =>
      `${await sendChange(client, 'gzip', gzipSync)}, ${await sendChange(client, 'deflate', deflateSync)}`,
  },
  {
    name: 'unknown paths with credentials',
    expected: `404 ${PROBLEM}, 404 ${PROBLEM}`,
    model: GATEWAY,
    ask: async (client) => {
      const root = await client.send({ method: 'GET', path: '/' });
      return `${describeAnswer(root)}, ${describeAnswer(await client.send({ method: 'GET', path: UNKNOWN_PATH }))}`;
    },
  },
  {
    name: 'a form posted to an unknown path',
    expected: `404 ${PROBLEM}`,
    model: GATEWAY,
    ask: async (client) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return describeAnswer(await client.send({ method: 'POST', path: UNKNOWN_PATH, headers, body: 'a=b' }));
    },
  },
  {
    name: 'another method of an operation',
    expected: `404 ${PROBLEM}`,
    model: 'local/gateway/route.ts',
    ask: async (client) =>
      describeAnswer(await client.send({ method: 'PUT', path: operations['post-change'].path })),
  },
  {
    name: 'a base URL that ends in a slash',
    expected: '200 application/json',
    model: 'local/gateway/route.ts (recorded with an EDGE API; this one is REGIONAL)',
    ask: async (client) => {
      const { method, path } = operations['get-purchase-orders'];
      return describeAnswer(await client.send({ method, path: `/${path}` }));
    },
  },
];
