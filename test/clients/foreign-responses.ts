import type { ForcedResponse } from '../support/fault-proxy.ts';

const response = (type: string, status: number, body: string): ForcedResponse => ({
  status,
  headers: { 'Content-Type': type },
  body,
});
const html = response.bind(undefined, 'text/html');
const json = response.bind(undefined, 'application/json');

const NOT_OURS = "HTTP 200, but not the service's response: ";
const strangeErrors = '[{ "detail": "Too strange." }, { "pointer": "#/Timestamp" }]';
const detail = '"detail": "Blocked by the proxy."';

/** Responses of a portal, a proxy or the platform, and the texts that a program prints for each. */
export const foreignResponses = new Map<string, [ForcedResponse, ...texts: string[]]>([
  ['a sign-in page', [html(200, '<title>Sign in</title>'), `${NOT_OURS}<title>Sign in`]],
  ['empty JSON', [json(200, ''), NOT_OURS]],
  ['an empty list', [json(200, '[]'), `${NOT_OURS}[]`]],
  ['an unknown object', [json(200, '{"up":true}'), `${NOT_OURS}{"up":true}`]],
  ['a page that refuses', [html(403, '<title>Blocked</title>'), 'HTTP 403: <title>Blocked']],
  ['a refusal of the platform', [json(403, '{"message":"Forbidden"}'), 'HTTP 403: {"message":"Forbidden"}']],
  ['a problem without an id', [json(403, `{${detail}}`), 'HTTP 403: ', 'Blocked by the proxy.']],
  [
    'a problem whose errors lack a pointer or a detail',
    [
      json(403, `{${detail}, "requestId": "proxy-id", "errors": ${strangeErrors}}`),
      ...['HTTP 403: ', 'Blocked by the proxy.', 'proxy-id', 'Too strange.', '#/Timestamp'],
    ],
  ],
]);
