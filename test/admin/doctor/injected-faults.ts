import { gunzipSync, gzipSync } from 'node:zlib';
import { LONGEST_RESPONSE_BYTES } from '../../../admin/doctor/probe/connection.ts';
import { operations } from '../../../shared/operations.ts';
import type { Fault, Reply, Request } from './fault-proxy.ts';

type Condition = (request: Request) => boolean;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

const PAGE = json(200, '<html>\u001b[31mhello</html>', { 'content-type': 'text/html' });
const FAILED = json(500, { detail: 'Failed.', requestId: 'abc-1' });
const FORBIDDEN = json(403, { message: 'Forbidden' });
const THROTTLED = json(429, { message: 'Limit Exceeded' }, { 'retry-after': '0' });

const replace = (when: Condition, reply: Reply | string): Fault => ({
  reply: (request, forward) => (when(request) ? reply : forward()),
});

const change = (when: Condition, edit: (reply: Reply) => Reply): Fault => ({
  reply: async (request, forward) => {
    const reply = await forward();
    return when(request) ? edit(reply) : reply;
  },
});

const withHeaders = (headers: Record<string, string>) => (reply: Reply) => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

const digest = withHeaders({ 'www-authenticate': 'Digest' });

const withText = (text: string) => (reply: Reply) => ({ ...reply, bytes: Buffer.from(text) });

const withFields = (fields: Record<string, unknown>) => (reply: Reply) =>
  withText(JSON.stringify({ ...JSON.parse(reply.bytes.toString()), ...fields }))(reply);

const withStatus = (status: number) => (reply: Reply) => ({ ...reply, status });

const withoutChallenge = ({ headers: { 'www-authenticate': _, ...headers }, ...reply }: Reply) => ({
  ...reply,
  headers,
});

const compressed = (reply: Reply): Reply => ({
  ...withHeaders({ 'content-encoding': 'gzip' })(reply),
  bytes: gzipSync(reply.bytes),
});

const minutesOff = (minutes: number) => {
  const date = new Date(Date.now() + minutes * 60_000).toUTCString();
  return change(() => true, withHeaders({ date }));
};

const isUnsigned: Condition = ({ headers }) => headers.authorization === undefined;
/** The doctor's wrong passwords are shorter than the right one. */
const isSigned: Condition = ({ headers: { authorization = '' } }) => authorization.length > 60;
const isWrongPassword: Condition = (request) => !isUnsigned(request) && !isSigned(request);
const isSignedTo =
  (operation: string, condition = isSigned): Condition =>
  (request) =>
    String(request.url).endsWith(operation) && isSigned(request) && condition(request);
const isChange = isSignedTo('/changes');
const isOrders = isSignedTo('/purchase-orders');
const isBatch = isSignedTo('/material-stock-balance');
const isGzip = isSignedTo('/material-stock-balance', ({ headers }) => headers['content-encoding'] === 'gzip');
const asksForGzip = isSignedTo('balance', ({ headers }) => headers['accept-encoding'] === 'gzip');
const asksForPlain = isSignedTo('balance', ({ headers }) => headers['accept-encoding'] !== 'gzip');
const isLarge = isSignedTo('balance', ({ body }) => body.byteLength > 16_000);
const isHuge = isSignedTo('balance', ({ body }) => body.byteLength > 1_000_000);
const isHttp10: Condition = ({ httpVersion }) => httpVersion === '1.0';
const expectsContinue: Condition = ({ headers }) => headers.expect !== undefined;

const bomb = (reply: Reply) =>
  compressed({
    ...reply,
    bytes: Buffer.concat([gunzipSync(reply.bytes), Buffer.alloc(LONGEST_RESPONSE_BYTES, ' ')]),
  });

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
const UNKNOWN_VERSION = 'HTTP/1.1 505 HTTP Version Not Supported\r\n\r\n';
const REFUSED = json(417, 'Expectation Failed');
const NEVER_COMPRESSED: Fault = {
  reply: (request, forward) => forward(isBatch(request) ? { 'accept-encoding': 'identity' } : {}),
};

type FaultCase = [check: string, title: string, fault: Fault, seen: RegExp];

const listFaults = Object.values(operations)
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path, table }): FaultCase[] => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isList = isSignedTo(`/${name}`);
    return [
      [name, 'page', replace(isList, PAGE), /"<html>\\u001b\[31mhello.* as "text\/html"/],
      [name, 'no list', replace(isList, json(200, { [table]: {} })), /200 without a list; /],
      [name, 'no object', replace(isList, json(200, [])), /not a JSON object; check --base/],
    ];
  });

/** Each fault has to be found by its check, and by no other. */
export const faults: FaultCase[] = [
  ['clock', 'ten minutes ahead', minutesOff(10), /\d{3} s ahead of this machine; set .* NTP/],
  ['clock', 'ten minutes behind', minutesOff(-10), /\d{3} s behind this machine; set .* NTP/],
  ['challenge', 'no header', change(isUnsigned, withoutChallenge), /without WWW-Authenticate; deploy again/],
  ['challenge', 'another scheme', change(isUnsigned, digest), /with the challenge "Digest"; /],
  ['challenge', 'no stage', replace(isUnsigned, FORBIDDEN), /403 "Forbidden"; check that --base-url ends/],
  ['wrong-password', 'accepted', replace(isWrongPassword, json(200, {})), /200 .* authorizer's log/],
  ['sign-in', 'failing authorizer', replace(isOrders, json(503, {})), /503 .* authorizer's log/],
  ['change', '201', change(isChange, withStatus(201)), /201 .*; look into the log of the function/],
  ['change', 'more fields', change(isChange, withFields({ Kept: 1 })), /but expected the Timestamp alone; /],
  ['change', 'failing function', replace(isChange, FAILED), /500 "Failed\."; search .* requestId "abc-1"/],
  ['change', 'unavailable table', replace(isChange, json(503, {})), /503 .*; the tables/],
  [
    'change',
    'throttled for good',
    replace(isChange, THROTTLED),
    /429 "Limit Exceeded"; other requests use up/,
  ],
  ...listFaults,
  ['gzip-answer', 'never', NEVER_COMPRESSED, /are not compressed although gzip was requested; deploy again/],
  [
    'gzip-answer',
    'for everybody',
    change(asksForPlain, compressed),
    /compressed although gzip was not requested; a proxy or CDN/,
  ],
  ['gzip-answer', 'far too long', change(asksForGzip, bomb), /does not decompress to JSON; deploy/],
  ['gzip-answer', 'not gzip', change(asksForGzip, withText('plain')), /does not decompress to JSON; deploy/],
  ['gzip-request', 'not unpacked', replace(isGzip, json(400, 'no JSON')), /400 "no JSON"; deploy again/],
  [
    'http-1.0',
    'cut off',
    replace(isHttp10, ''),
    /connection ended without an HTTP response; let such clients/,
  ],
  ['http-1.0', 'chunked', replace(isHttp10, CHUNKED), /is chunked, which 1\.0 does not support; let such/],
  ['kept-connection', 'cut', replace(({ earlier }) => earlier > 0, ''), /ECONNRESET\); check/],
  ['expect-continue', '417', replace(expectsContinue, REFUSED), /417 "Expectation Failed"; switch it off/],
  [
    'batch-21kb',
    'firewall',
    replace(isLarge, FORBIDDEN),
    /403 "Forbidden"; allow large bodies in the firewall \(WAF\) in front/,
  ],
  ['batch-21kb', 'redirected', replace(isLarge, json(301, '')), /answered 301; use the address/],
  ['batch-21kb', 'other count', change(isBatch, withFields({ EntryCount: 1 })), /EntryCount 200; another/],
  [
    'batch-3mb',
    'too long',
    replace(isHuge, json(413, 'Too Long')),
    /413 "Too Long"; allow large bodies in the firewall \(WAF\)/,
  ],
];

/** What the service need not support is a note. */
export const oddities: FaultCase[] = [
  ['http-1.0', 'not supported', replace(isHttp10, UNKNOWN_VERSION), /505: not supported here; let/],
  ['expect-continue', 'ignored', { ignoresExpect: true }, /no 100 Continue within 1 s.*; switch it off/],
];

export const throttledAtFirst = (times: number): Fault => {
  const left = Array.from({ length: times });
  return replace((request) => isChange(request) && left.splice(0, 1).length > 0, THROTTLED);
};

/** As API Gateway does when it takes the header for a signature. */
export const repeatsCredentials: Fault = {
  reply: ({ headers }) => json(403, { message: `${headers.authorization} is no signature` }),
};

export const refusesCredentials: Fault = {
  reply: (_, forward) => forward({ authorization: 'Basic eDp5' }),
};
