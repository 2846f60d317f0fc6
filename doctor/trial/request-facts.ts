import { MAX_BATCH_ENTRIES } from '../../shared/limits.ts';
import { operations } from '../../shared/operations.ts';
import { describedAs, type Facts } from '../fact.ts';
import { NOWHERE } from '../facts/access.ts';
import { makeBatch } from '../facts/operations.ts';
import { basicCredentials, type Caller, type Request } from '../http/caller.ts';
import { describe } from '../http/describe.ts';

const PARTITIONS = 'test/shared/storage/faults.test.ts, where it simulates partitions';

const sendBatch = async (caller: Caller, body: string) => {
  const { status, json } = await caller.post('post-material-stock-balance', body);
  return json['SnapshotId'] ? `${status} with a SnapshotId` : `${status}`;
};

/** What is stored. The first fact needs an empty table. */
export const writeFacts: Facts = {
  'the largest batch on a fresh table': {
    ...describedAs('200 with a SnapshotId', (caller) =>
      sendBatch(caller, makeBatch(MAX_BATCH_ENTRIES, 'short')),
    ),
    model: PARTITIONS,
  },
  'a change that is sent twice': {
    ...describedAs('200 200 with its Timestamp alone', async (caller) => {
      const body = JSON.stringify({ Timestamp: new Date().toISOString().replace('.', ',') });
      const responses = [await caller.post('post-change', body), await caller.post('post-change', body)];
      const isEcho = responses.every(({ json }) => JSON.stringify(json) === body);
      const statuses = responses.map(({ status }) => status).join(' ');
      return `${statuses} ${isEcho ? 'with its Timestamp alone' : 'with another body'}`;
    }),
    model: 'functions/post-change.ts',
  },
  'five batches of 20,000 at once': {
    ...describedAs('five times 200 with a SnapshotId', async (caller) => {
      const body = makeBatch(MAX_BATCH_ENTRIES / 2, 'short');
      const seen = await Promise.all(Array.from({ length: 5 }, () => sendBatch(caller, body)));
      const [first, ...others] = new Set(seen);
      return others.length === 0 ? `five times ${first}` : seen.join(', ');
    }),
    model: PARTITIONS,
  },
};

const ORDERS = operations['get-purchase-orders'];
const BATCH = operations['post-material-stock-balance'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const GATEWAY = 'local/gateway/gateway.ts';
const URLS = 'local/gateway/request.ts';
const ROUTE = 'local/gateway/route.ts';

const NOT_FOUND = '404 application/problem+json, a request id';
const SUCCESS = '200 application/json, a request id';
const TOO_LARGE = '413 application/problem+json, a request id';
/** The platform's own limit comes before the gateway's responses. */
const FAR_TOO_LARGE = '413 text; charset=utf-8, no request id';

const MB = 1_000_000;
const bodyOf = (bytes: number) => `"${'a'.repeat(bytes)}"`;

type Asked = [name: string, request: Request, text: string, model: string];

const requests: Asked[] = [
  ['an unknown path', NOWHERE, NOT_FOUND, GATEWAY],
  [
    'a form to an unknown path',
    { ...NOWHERE, method: 'POST', headers: FORM, body: 'a=b' },
    NOT_FOUND,
    GATEWAY,
  ],
  ['another method of an operation', { ...ORDERS, method: 'PUT' }, NOT_FOUND, ROUTE],
  ['a base URL that ends in a slash', { ...ORDERS, path: `/${ORDERS.path}` }, SUCCESS, URLS],
  ['a body of 6.5 MB', { ...BATCH, body: bodyOf(6.5 * MB) }, TOO_LARGE, GATEWAY],
  ['a body of 11 MB', { ...BATCH, body: bodyOf(11 * MB) }, FAR_TOO_LARGE, 'local/gateway/payload.ts'],
];

const factsOf = (asked: readonly Asked[]): Facts =>
  Object.fromEntries(
    asked.map(([name, request, text, model]) => {
      const look = async (caller: Caller) => {
        const response = await caller.send(request);
        return `${describe(response)}, ${response.headers['x-amz-apigw-id'] ? 'a' : 'no'} request id`;
      };
      return [name, { ...describedAs(text, look), model }];
    }),
  );

/** What API Gateway does. Nothing is stored. */
export const gatewayFacts = factsOf(requests);

/** API Gateway has no such methods, so no authorizer should be asked. Ask them after the metric of wrong passwords. */
export const methodFacts = factsOf(
  ['TRACE', 'PROPFIND', 'QUERY'].map((method) => [
    `${method} with a wrong password`,
    { ...ORDERS, method, authorization: basicCredentials('doctor', 'wrong') },
    NOT_FOUND,
    `${ROUTE}, and SECURITY.md`,
  ]),
);
