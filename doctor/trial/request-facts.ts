import { MAX_BATCH_ENTRIES } from '../../shared/limits.ts';
import { operations } from '../../shared/operations.ts';
import type { Facts } from '../fact.ts';
import { NOWHERE } from '../facts/access.ts';
import { makeBatch } from '../facts/operations.ts';
import { basicCredentials, type Request } from '../http/caller.ts';
import { type Expected, expecting, problem, SUCCESS } from '../http/expectations.ts';

const PARTITIONS = 'test/shared/storage/faults.test.ts, where it simulates partitions';

const STORED = { status: 200, hasSnapshotId: true };
export const CHANGE = JSON.stringify({ Timestamp: '2026-07-01T08:00:00,000Z' });

/** What is stored. The first fact needs an empty table. */
export const writeFacts: Facts = {
  'the largest batch on a fresh table': {
    ...expecting(STORED, (caller) =>
      caller.post('post-material-stock-balance', makeBatch(MAX_BATCH_ENTRIES, 'short')),
    ),
    model: PARTITIONS,
  },
  'a change that is sent twice': {
    text: '200 200 with its Timestamp alone',
    see: async (caller) => {
      const responses = [await caller.post('post-change', CHANGE), await caller.post('post-change', CHANGE)];
      const statuses = responses.map(({ status }) => status);
      const isEcho = responses.every(({ text }) => text === CHANGE);
      const seen = `${statuses.join(' ')} with ${isEcho ? 'its Timestamp alone' : 'another body'}`;
      return { holds: isEcho && statuses.every((status) => status === 200), seen };
    },
    model: 'functions/post-change.ts',
  },
  'five batches of 20,000 at once': {
    ...expecting(STORED, (caller) => {
      const body = makeBatch(MAX_BATCH_ENTRIES / 2, 'short');
      const send = () => caller.post('post-material-stock-balance', body);
      return Promise.all([send(), send(), send(), send(), send()]);
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

const hasRequestId = true;
const NOT_FOUND = { ...problem(404), hasRequestId };
/** The platform's own limit comes before the gateway's responses. */
const FAR_TOO_LARGE = { status: 413, contentType: 'text; charset=utf-8', hasRequestId: false };

const MB = 1_000_000;
const bodyOf = (bytes: number) => `"${'a'.repeat(bytes)}"`;

type Asked = [name: string, request: Request, expected: Expected, model: string];

const requests: Asked[] = [
  ['an unknown path', NOWHERE, NOT_FOUND, GATEWAY],
  [
    'a form to an unknown path',
    { ...NOWHERE, method: 'POST', headers: FORM, body: 'a=b' },
    NOT_FOUND,
    GATEWAY,
  ],
  ['another method of an operation', { ...ORDERS, method: 'PUT' }, NOT_FOUND, ROUTE],
  [
    'a base URL that ends in a slash',
    { ...ORDERS, path: `/${ORDERS.path}` },
    { ...SUCCESS, hasRequestId },
    URLS,
  ],
  ['a body of 6.5 MB', { ...BATCH, body: bodyOf(6.5 * MB) }, { ...problem(413), hasRequestId }, GATEWAY],
  ['a body of 11 MB', { ...BATCH, body: bodyOf(11 * MB) }, FAR_TOO_LARGE, 'local/gateway/payload.ts'],
];

const factsOf = (asked: readonly Asked[]): Facts =>
  Object.fromEntries(
    asked.map(([name, request, expected, model]) => [
      name,
      { ...expecting(expected, (caller) => caller.send(request)), model },
    ]),
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
