import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Api, Method } from './api.ts';

export type Header = [name: string, value: string];

export type GatewayRequest = {
  id: string;
  extendedId: string;
  receivedAt: Date;
  httpMethod: string;
  /** The path after the stage, with one slash at the start. */
  path: string;
  query: Header[];
  headers: Header[];
  sourceIp: string;
  method?: Method;
  /** The context that the authorizer returned. */
  authorizer?: Record<string, string | null>;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A UUID from the client replaces the gateway's own id. */
const idOf = ({ headers }: IncomingMessage) => {
  const sent = String(headers['x-amzn-requestid']);
  return UUID.test(sent) ? sent : randomUUID();
};

export const readRequest = (
  incoming: IncomingMessage,
  path: string,
  query: string,
  receivedAt: Date,
): GatewayRequest => ({
  id: idOf(incoming),
  extendedId: randomBytes(11).toString('base64'),
  receivedAt,
  httpMethod: incoming.method ?? 'GET',
  path: path.replace(/^\/+/, '/'),
  query: [...new URLSearchParams(query)],
  headers: pairs(incoming.rawHeaders),
  sourceIp: incoming.socket.remoteAddress ?? '',
});

const pairs = (rawHeaders: string[]) =>
  Array.from(
    { length: rawHeaders.length / 2 },
    (_, index): Header => [rawHeaders[2 * index] ?? '', rawHeaders[2 * index + 1] ?? ''],
  );

export const headerOf = ({ headers }: GatewayRequest, name: string) =>
  headers.findLast(([sent]) => sent.toLowerCase() === name)?.[1];

/** What a policy allows or denies. */
export const callOf = ({ arn, stage }: Api, { httpMethod, path, sourceIp }: GatewayRequest) => ({
  action: 'execute-api:Invoke',
  resource: `${arn}/${stage}/${httpMethod}${path}`,
  sourceIp,
});

/** API Gateway drops these headers of a request, and renames these headers of a function's response. */
export const RESERVED_HEADERS = [
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'www-authenticate',
];
const NOT_FORWARDED = new Set([...RESERVED_HEADERS, 'keep-alive', 'te', 'transfer-encoding']);

export const traceOf = (request: GatewayRequest) => {
  const sent = headerOf(request, 'x-amzn-trace-id') ?? '';
  const id = request.id.replaceAll('-', '');
  return /(^|;)Root=/.test(sent) ? sent : `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
};

/** Drops and sets headers as API Gateway does. There, every request comes over TLS. */
const forwardedHeaders = (request: GatewayRequest): Header[] => {
  const forwardedFor = headerOf(request, 'x-forwarded-for');
  const set: Header[] = [
    ['X-Amzn-Trace-Id', traceOf(request)],
    ['X-Forwarded-For', [...(forwardedFor ? [forwardedFor] : []), request.sourceIp].join(', ')],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ];
  const dropped = NOT_FORWARDED.union(new Set(set.map(([name]) => name.toLowerCase())));
  return [...request.headers.filter(([name]) => !dropped.has(name.toLowerCase())), ...set];
};

const allValues = (entries: Header[]) => {
  const values = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries([...values].map(([name, same]) => [name, same.map(([, value]) => value)]));
};

const nullIfEmpty = <T extends object>(values: T) => (Object.keys(values).length > 0 ? values : null);

/**
 * The fields of every event, as far as a function may need them. Of several values, the last counts. Header names keep
 * their letter case.
 */
const commonFields = (api: Api, request: GatewayRequest) => {
  const headers = forwardedHeaders(request);
  return {
    resource: request.method?.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: Object.fromEntries(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: nullIfEmpty(Object.fromEntries(request.query)),
    multiValueQueryStringParameters: nullIfEmpty(allValues(request.query)),
    requestContext: {
      stage: api.stage,
      requestId: request.id,
      extendedRequestId: request.extendedId,
      requestTimeEpoch: request.receivedAt.getTime(),
      identity: { sourceIp: request.sourceIp, userAgent: headerOf(request, 'user-agent') ?? null },
      ...(request.authorizer ? { authorizer: request.authorizer } : {}),
    },
  };
};

/** The event for an operation's function. An empty body is null. */
export const proxyEvent = (api: Api, request: GatewayRequest, body: string) => ({
  ...commonFields(api, request),
  body: body === '' ? null : body,
  isBase64Encoded: false,
});

/** The authorizer's event has no body. */
export const authorizerEvent = (api: Api, request: GatewayRequest) => ({
  type: 'REQUEST',
  methodArn: callOf(api, request).resource,
  ...commonFields(api, request),
});
