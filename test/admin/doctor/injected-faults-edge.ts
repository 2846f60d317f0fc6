import {
  all,
  type Case,
  changed,
  edited,
  HTML,
  instead,
  isBearer,
  isLost,
  isOwn,
  isStranger,
  json,
  minutesOff,
  one,
  without,
} from './spoiling.ts';

/** Of the edge: who is let in, by which path and over which connection. */
export const edgeFaults: Case[] = [
  one('clock', 'is ten minutes ahead', minutesOff(10), /(599|600) s ahead of this machine's; set .* NTP/),
  one('clock', 'is ten minutes behind', minutesOff(-10), /(599|600|601) s behind this machine's; set .* NTP/),
  one(
    'challenge',
    'loses its header',
    changed(isStranger, without('www-authenticate')),
    /without WWW-Authenticate; deploy again \(infra\/api\/gateway-responses\.ts\)/,
  ),
  one(
    'challenge',
    'comes under another name',
    changed(isStranger, ({ headers: { 'www-authenticate': value = '', ...headers }, ...reply }) => ({
      ...reply,
      headers: { ...headers, 'x-amzn-remapped-www-authenticate': value },
    })),
    /renamed to x-amzn-remapped-www-authenticate; .*gateway-responses\.ts/,
  ),
  one(
    'challenge',
    'is another one',
    changed(isStranger, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'www-authenticate': 'Basic' },
    })),
    /with the challenge "Basic"; deploy again/,
  ),
  one(
    'challenge',
    'is none, as where the stage is missing',
    instead(isStranger, json(403, { message: 'Forbidden' })),
    /answered 403 "Forbidden"; does --base-url end in the stage/,
  ),
  one(
    'challenge',
    'has no request id',
    changed(
      isStranger,
      edited(({ requestId: _, ...body }) => body),
    ),
    /answered 401 without requestId; .*proxy that rewrites/,
  ),
  one(
    'challenge',
    'tells another status than it has',
    changed(
      isStranger,
      edited((body) => ({ ...body, status: 403 })),
    ),
    /its body says the status "403"; deploy again/,
  ),
  one(
    'challenge',
    'is a page',
    changed(isStranger, (reply) => ({
      ...reply,
      ...HTML,
      status: 401,
      headers: { ...reply.headers, ...HTML.headers },
    })),
    /answered 401 as "text\/html", not as application\/problem\+json; deploy again/,
  ),
  one(
    'wrong-password',
    'is a 403',
    instead((asked) => !isStranger(asked) && !isOwn(asked), json(403, { Message: 'explicit deny' })),
    /answered 403 .*; look into the authorizer's log/,
  ),
  one(
    'malformed-credentials',
    'are a fault of the service',
    instead(isBearer, json(500, { message: null })),
    /^Authorization: Bearer x answered 500.*; look into the function's log/,
  ),
  one(
    'unknown-path-stranger',
    'tells strangers what there is',
    instead(all(isLost, isStranger), json(404, {})),
    /answered 404 .*; deploy again: the catch-all/,
  ),
  one(
    'unknown-path',
    'is a page',
    instead(isLost, HTML),
    /GET nothing answered 200 .*; deploy again: the catch-all/,
  ),
  one(
    'http-1.0',
    'is cut off',
    instead(({ httpVersion }) => httpVersion === '1.0', ''),
    /no HTTP answer came before the end; let such clients use 1\.1/,
  ),
  one(
    'http-1.0',
    'gets chunks',
    instead(
      ({ httpVersion }) => httpVersion === '1.0',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ),
    /came in chunks, which 1\.0 does not know; let such clients/,
  ),
  one(
    'kept-connection',
    'is cut at the second request',
    instead(({ before }) => before > 0, ''),
    /cut before an answer came \(ECONNRESET\); check/,
  ),
  one(
    'expect-continue',
    'is refused',
    instead(({ headers }) => headers.expect !== undefined, json(417, 'Expectation Failed')),
    /answered 417 "Expectation Failed"; switch it off at the client: curl -H 'Expect:'/,
  ),
];
