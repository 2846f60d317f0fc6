import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCOUNT } from '../stack.ts';
import type { Api, Method } from './api.ts';

export type Header = [name: string, value: string];

export type GatewayRequest = {
  id: string;
  extendedId: string;
  receivedAt: Date;
  httpMethod: string;
  /** The path after the stage, with one slash at the start. */
  path: string;
  /** The path after the stage, as the client sent it. */
  sentPath: string;
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
  sentPath: string,
  query: string,
  receivedAt: Date,
): GatewayRequest => ({
  id: idOf(incoming),
  extendedId: randomBytes(11).toString('base64'),
  receivedAt,
  httpMethod: incoming.method ?? 'GET',
  path: sentPath.replace(/^\/+/, '/'),
  sentPath,
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
const SET_BY_GATEWAY = new Set([
  'x-amzn-trace-id',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

export const traceOf = (request: GatewayRequest) => {
  const sent = headerOf(request, 'x-amzn-trace-id') ?? '';
  const id = request.id.replaceAll('-', '');
  return /(^|;)Root=/.test(sent) ? sent : `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
};

/** Drops and sets headers as API Gateway does. There, every request comes over TLS. */
const forwardedHeaders = (request: GatewayRequest): Header[] => {
  const forwardedFor = headerOf(request, 'x-forwarded-for');
  const sent = request.headers.filter(([name]) => {
    const lowerCase = name.toLowerCase();
    return !NOT_FORWARDED.has(lowerCase) && !SET_BY_GATEWAY.has(lowerCase);
  });
  return [
    ...sent,
    ['X-Amzn-Trace-Id', traceOf(request)],
    ['X-Forwarded-For', [...(forwardedFor ? [forwardedFor] : []), request.sourceIp].join(', ')],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ];
};

const allValues = (entries: Header[]) => {
  const values = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries([...values].map(([name, same]) => [name, same.map(([, value]) => value)]));
};

const nullIfEmpty = <T extends object>(values: T) => (Object.keys(values).length > 0 ? values : null);

const pathParametersOf = ({ method, path }: GatewayRequest): Record<string, string> =>
  method?.resourcePath.endsWith('/{proxy+}') ? { proxy: path.slice(1).replace(/\/+$/, '') } : {};

/** Has the fields that a handler may need, and not all of the platform's. */
const requestContext = (api: Api, request: GatewayRequest) => ({
  accountId: ACCOUNT,
  apiId: api.id,
  stage: api.stage,
  resourcePath: request.method?.resourcePath,
  httpMethod: request.httpMethod,
  path: `/${api.stage}${request.sentPath}`,
  requestId: request.id,
  extendedRequestId: request.extendedId,
  requestTimeEpoch: request.receivedAt.getTime(),
  identity: { sourceIp: request.sourceIp, userAgent: headerOf(request, 'user-agent') ?? null },
  ...(request.authorizer ? { authorizer: request.authorizer } : {}),
});

/** The fields of every event. Of several values, the last counts. Header names keep their letter case. */
const commonFields = (api: Api, request: GatewayRequest) => {
  const headers = forwardedHeaders(request);
  return {
    resource: request.method?.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: Object.fromEntries(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: Object.fromEntries(request.query),
    multiValueQueryStringParameters: allValues(request.query),
    pathParameters: pathParametersOf(request),
    requestContext: requestContext(api, request),
  };
};

/** The event for an operation's function. An empty body is null, and so are parameters. */
export const proxyEvent = (api: Api, request: GatewayRequest, body: string) => {
  const event = commonFields(api, request);
  return {
    ...event,
    queryStringParameters: nullIfEmpty(event.queryStringParameters),
    multiValueQueryStringParameters: nullIfEmpty(event.multiValueQueryStringParameters),
    pathParameters: nullIfEmpty(event.pathParameters),
    stageVariables: null,
    body: body === '' ? null : body,
    isBase64Encoded: false,
  };
};

/** The authorizer's event has no body. */
export const authorizerEvent = (api: Api, request: GatewayRequest) => ({
  type: 'REQUEST',
  methodArn: callOf(api, request).resource,
  ...commonFields(api, request),
  stageVariables: {},
});
