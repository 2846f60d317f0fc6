import fc from 'fast-check';
import { basic } from '../../support/http-client.ts';
import {
  type Attempt,
  authorizationOf,
  BALANCES,
  CHANGES,
  HEADER_MARKER,
  harmless,
  isList,
  jsonTypes,
  LISTS,
  otherTypes,
  query,
} from './attempt.ts';
import { BODY_MARKER } from './documents.ts';
import { batches, changes } from './submissions.ts';

/** The lists ignore headers and bodies, and one more slash before or after the path. */
const readings = fc
  .tuple(
    fc.constantFrom(...LISTS.flatMap((path) => [path, `/${path}`, `${path}/`])),
    query,
    harmless,
    fc.oneof(jsonTypes, otherTypes),
    fc.option(fc.json(), { nil: undefined }),
  )
  .map(
    ([path, asked, headers, contentType, json]): Attempt => ({
      what: 'a reading',
      method: 'GET',
      path: `${path}${asked}`,
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
const anyMethod = fc.constantFrom(
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'],
);

const isOperation = (method: string, path: string) => {
  const bare = path.replace(/\/+$/, '').replace(/^\/+/, '/');
  return method === 'POST' ? bare === CHANGES || bare === BALANCES : method === 'GET' && isList(bare);
};

/** Any other path or method: 404 with credentials, and 401 without. */
const strays = fc
  .tuple(
    anyMethod,
    fc.oneof(fc.constantFrom(CHANGES, BALANCES, ...LISTS), anyPath),
    query,
    fc.oneof(jsonTypes, otherTypes),
    fc.boolean(),
  )
  .filter(([method, path]) => !isOperation(method, path))
  .map(
    ([method, path, asked, contentType, isClient]): Attempt => ({
      what: isClient ? 'a stray client' : 'a stray stranger',
      method,
      path: `${path}${asked}`,
      headers: { 'Content-Type': contentType },
      ...(isClient ? { authorization: authorizationOf } : {}),
      statuses: [isClient ? 404 : 401],
    }),
  );

const wrongAuthorization: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom('warehouse', 'admin', '', 'Ж', '__proto__'), fc.string({ maxLength: 12 }))
    .map(([username, secret]) => basic(username, HEADER_MARKER + secret)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
);

/** Requests to operations with wrong credentials. */
const strangers = fc.tuple(wrongAuthorization, fc.constantFrom(CHANGES, BALANCES, ...LISTS)).map(
  ([authorization, path]): Attempt => ({
    what: `${path} with the credentials ${authorization}`,
    method: isList(path) ? 'GET' : 'POST',
    path,
    headers: { 'Content-Type': 'application/json' },
    authorization: () => authorization,
    ...(isList(path) ? {} : { body: Buffer.from(`{"${BODY_MARKER}":1}`) }),
    statuses: [401],
  }),
);

/** More headers than the platform reads. The answer is in its own format. */
const giants = fc.integer({ min: 2_000, max: 6_000 }).map(
  (times): Attempt => ({
    what: 'a giant header',
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
  { weight: 10, arbitrary: strangers },
  { weight: 10, arbitrary: strays },
  { weight: 9, arbitrary: readings },
  { weight: 1, arbitrary: giants },
];

export const attempts: fc.Arbitrary<Attempt> = fc.oneof(...kinds);
