import fc from 'fast-check';
import { basic } from '../../support/http-client.ts';
import { BODY_MARKER } from './documents.ts';
import {
  type Attempt,
  authorizationOf,
  BALANCES,
  batches,
  CHANGES,
  changes,
  HEADER_MARKER,
  harmless,
  jsonTypes,
  LISTS,
  otherTypes,
  query,
} from './submissions.ts';

/** The lists ignore headers and bodies, and one more slash before or after the path. */
const listRequests = fc
  .tuple(
    fc.constantFrom(...LISTS.flatMap((path) => [path, `/${path}`, `${path}/`])),
    query,
    harmless,
    fc.oneof(jsonTypes, otherTypes),
    fc.option(fc.json(), { nil: undefined }),
  )
  .map(
    ([path, queryText, headers, contentType, json]): Attempt => ({
      title: 'a request for a list',
      method: 'GET',
      path: `${path}${queryText}`,
      headers: { 'Content-Type': contentType, ...headers },
      authorization: authorizationOf,
      ...(json === undefined ? {} : { body: Buffer.from(json) }),
      statuses: [200],
    }),
  );

const segment = fc.constantFrom(
  ...['rest', 'warehouse-control', 'changes', 'material-codes', 'material-stock-balance', 'REST', ''],
  ...['%00', '%2F', '%D0%96', '%ff', '*', '{proxy+}', ';a=1', '$', "'", 'constructor', 'a'.repeat(2_000)],
);
const anyPath = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
/** Methods without an authorizer. The platform responds with 404 to any credentials. */
const UNSUPPORTED = ['TRACE', 'PROPFIND'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', ...UNSUPPORTED];
const OPERATIONS = [`POST ${CHANGES}`, `POST ${BALANCES}`, ...LISTS.map((path) => `GET ${path}`)];

const isOperation = (method: string, path: string) =>
  OPERATIONS.includes(`${method} ${path.replace(/\/+$/, '').replace(/^\/+/, '/')}`);

const wrongAuthorization: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom('warehouse', 'admin', '', 'Ж', '__proto__'), fc.string({ maxLength: 12 }))
    .map(([userName, secret]) => basic(userName, HEADER_MARKER + secret)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
  // A server removes spaces around a header's value, so the text may become empty.
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim()),
);

/** A 401 for every path and method without the right credentials. With the right credentials, a 404 except for operations. */
const strayRequests = fc
  .tuple(
    fc.oneof(fc.constantFrom('GET', 'POST'), fc.constantFrom(...METHODS)),
    fc.oneof(fc.constantFrom(CHANGES, BALANCES, ...LISTS), anyPath),
    query,
    fc.oneof(jsonTypes, otherTypes),
    fc.oneof(fc.constantFrom('', authorizationOf), wrongAuthorization),
  )
  .filter(([method, path, , , header]) => header !== authorizationOf || !isOperation(method, path))
  .map(
    ([method, path, queryText, contentType, header]): Attempt => ({
      title: `${method} ${path}`,
      method,
      path: `${path}${queryText}`,
      headers: { 'Content-Type': contentType },
      ...(header === '' ? {} : { authorization: typeof header === 'string' ? () => header : header }),
      ...(method === 'POST' ? { body: Buffer.from(`{"${BODY_MARKER}":1}`) } : {}),
      statuses: [header === authorizationOf || (header !== '' && UNSUPPORTED.includes(method)) ? 404 : 401],
    }),
  );

/** A header larger than the platform reads. The response is in the platform's own format. */
const giantHeaders = fc.integer({ min: 2_000, max: 6_000 }).map(
  (times): Attempt => ({
    title: 'a giant header',
    method: 'GET',
    path: LISTS[0],
    headers: { 'X-Big': HEADER_MARKER.repeat(times) },
    authorization: authorizationOf,
    statuses: [400, 413, 431],
    isPlain: true,
  }),
);

export const kinds: { weight: number; arbitrary: fc.Arbitrary<Attempt> }[] = [
  { weight: 45, arbitrary: batches },
  { weight: 25, arbitrary: changes },
  { weight: 20, arbitrary: strayRequests },
  { weight: 9, arbitrary: listRequests },
  { weight: 1, arbitrary: giantHeaders },
];

export const attempts: fc.Arbitrary<Attempt> = fc.oneof(...kinds);
