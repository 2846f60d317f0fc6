import { MAX_BATCH_ENTRIES } from '../../shared/limits.ts';
import { operations } from '../../shared/operations.ts';
import { type Facts, responseFact } from '../fact.ts';
import { UNKNOWN_PATH } from '../facts/access.ts';
import { makeBatch } from '../facts/operations.ts';
import { basicCredentials, type Request } from '../http/caller.ts';
import { type Expected, problem, SUCCESS } from '../http/expectations.ts';

const PARTITIONS = 'test/shared/storage/faults.test.ts, where it simulates partitions';

const STORED = { status: 200, hasSnapshotId: true };
export const CHANGE = JSON.stringify({ Timestamp: '2026-07-01T08:00:00,000Z' });

/** Facts about requests that are stored. The first fact needs an empty table. */
export const writeFacts: Facts = {
  'the largest batch on a fresh table': responseFact(
    STORED,
    (caller) => caller.post('post-material-stock-balance', makeBatch(MAX_BATCH_ENTRIES, 'short')),
    { assumedIn: PARTITIONS },
  ),
  'a change that is sent twice': {
    text: '200 200 with its Timestamp alone',
    check: async (caller) => {
      const responses = [await caller.post('post-change', CHANGE), await caller.post('post-change', CHANGE)];
      const statuses = responses.map(({ status }) => status);
      const isEcho = responses.every(({ text }) => text === CHANGE);
      const seen = `${statuses.join(' ')} with ${isEcho ? 'its Timestamp alone' : 'another body'}`;
      return { holds: isEcho && statuses.every((status) => status === 200), seen };
    },
    assumedIn: 'functions/post-change.ts',
  },
  'five batches of 20,000 at once': responseFact(
    STORED,
    (caller) => {
      const body = makeBatch(MAX_BATCH_ENTRIES / 2, 'short');
      const send = () => caller.post('post-material-stock-balance', body);
      return Promise.all([send(), send(), send(), send(), send()]);
    },
    { assumedIn: PARTITIONS },
  ),
};

const ORDERS = operations['get-purchase-orders'];
const BATCH = operations['post-material-stock-balance'];
const FORM = {
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'a=b',
};
const GATEWAY = 'local/gateway/gateway.ts';
const PAYLOAD = 'local/gateway/payload.ts';
const URLS = 'local/gateway/request.ts';
const ROUTE = 'local/gateway/route.ts';

/** The platform's own response comes before the gateway responses of the template. */
const FAR_TOO_LARGE = { status: 413, contentType: 'text; charset=utf-8', hasRequestId: false };

const MB = 1_000_000;
const bodyOf = (bytes: number) => `"${'a'.repeat(bytes)}"`;

const requestFact = (request: Request, expected: Expected, assumedIn: string) =>
  responseFact({ hasRequestId: true, ...expected }, (caller) => caller.send(request), { assumedIn });

/** Facts about API Gateway. They store nothing. */
export const gatewayFacts: Facts = {
  'an unknown path': requestFact(UNKNOWN_PATH, problem(404), GATEWAY),
  'a form to an unknown path': requestFact({ ...UNKNOWN_PATH, ...FORM }, problem(404), GATEWAY),
  'another method of an operation': requestFact({ ...ORDERS, method: 'PUT' }, problem(404), ROUTE),
  'a base URL that ends in a slash': requestFact({ ...ORDERS, path: `/${ORDERS.path}` }, SUCCESS, URLS),
  'a body of 6.5 MB': requestFact({ ...BATCH, body: bodyOf(6.5 * MB) }, problem(413), GATEWAY),
  'a body of 11 MB': requestFact({ ...BATCH, body: bodyOf(11 * MB) }, FAR_TOO_LARGE, PAYLOAD),
};

/** API Gateway does not have these methods, so it should not call the authorizer. */
export const methodFacts: Facts = Object.fromEntries(
  ['TRACE', 'PROPFIND', 'QUERY'].map((method) => {
    const request = { ...ORDERS, method, authorization: basicCredentials('doctor', 'wrong') };
    return [
      `${method} with a wrong password`,
      requestFact(request, problem(404), `${ROUTE}, and SECURITY.md`),
    ];
  }),
);
