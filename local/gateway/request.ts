import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCOUNT } from '../stack.ts';
import type { Api, Method } from './api.ts';

export type AuthorizerContext = Record<string, string | number | null>;

export type GatewayRequest = {
  id: string;
  extendedId: string;
  receivedAt: Date;
  httpMethod: string;
  /** The path after the stage, with one slash at the start. */
  path: string;
  /** The path after the stage, as the client sent it. */
  sentPath: string;
  query: URLSearchParams;
  headers: [string, string][];
  protocol: string;
  sourceIp: string;
  method?: Method;
  authorizer?: AuthorizerContext;
  /** Set if the method needs a key. The authorizer returns the key. */
  apiKey?: { apiKey: string; apiKeyId: string };
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A UUID from the client replaces the gateway's own id. */
const idOf = ({ headers }: IncomingMessage) => {
  const sent = String(headers['x-amzn-requestid']);
  return UUID.test(sent) ? sent : randomUUID();
};

export const readRequest = (incoming: IncomingMessage, sentPath: string, query: string): GatewayRequest => ({
  id: idOf(incoming),
  extendedId: randomBytes(11).toString('base64'),
  receivedAt: new Date(),
  httpMethod: incoming.method ?? 'GET',
  path: sentPath.replace(/^\/+/, '/'),
  sentPath,
  query: new URLSearchParams(query),
  headers: pairs(incoming.rawHeaders),
  protocol: `HTTP/${incoming.httpVersion}`,
  sourceIp: incoming.socket.remoteAddress ?? '',
});

const pairs = (rawHeaders: string[]) =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index): [string, string] => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);

export const headerOf = ({ headers }: GatewayRequest, name: string) =>
  headers.findLast(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1];

const NOT_FORWARDED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

const SET_BY_GATEWAY = ['x-amzn-trace-id', 'x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto'];

export const traceOf = (request: GatewayRequest) => {
  const sent = headerOf(request, 'x-amzn-trace-id') ?? '';
  const id = request.id.replaceAll('-', '');
  return /(^|;)Root=/.test(sent) ? sent : `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
};

/** Drops and sets headers as API Gateway does. There, every request comes over TLS. */
const forwardedHeaders = (request: GatewayRequest): [string, string][] => {
  const forwardedFor = headerOf(request, 'x-forwarded-for');
  return [
    ...request.headers.filter(
      ([name]) => !NOT_FORWARDED.has(name.toLowerCase()) && !SET_BY_GATEWAY.includes(name.toLowerCase()),
    ),
    ['X-Amzn-Trace-Id', traceOf(request)],
    ['X-Forwarded-For', [...(forwardedFor ? [forwardedFor] : []), request.sourceIp].join(', ')],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ];
};

/** The last of several values counts. Names keep their letter case. */
const lastValues = (entries: [string, string][]) => Object.fromEntries(entries);

const allValues = (entries: [string, string][]) => {
  const values = new Map<string, string[]>();
  for (const [name, value] of entries) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
};

/** Common log format: 09/Apr/2026:12:34:56 +0000 */
const clfTime = (instant: Date) => {
  const [, day, month, year, time] = instant.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

const nullIfEmpty = <T extends object>(values: T) => (Object.keys(values).length > 0 ? values : null);

const requestContext = (api: Api, request: GatewayRequest) => ({
  resourceId: request.method?.resourceId ?? '',
  resourcePath: request.method?.resourcePath ?? '',
  ...(request.method?.operationName ? { operationName: request.method.operationName } : {}),
  httpMethod: request.httpMethod,
  extendedRequestId: request.extendedId,
  requestTime: clfTime(request.receivedAt),
  path: `/${api.stage}${request.sentPath}`,
  accountId: ACCOUNT,
  protocol: request.protocol,
  stage: api.stage,
  deploymentId: api.deploymentId,
  domainPrefix: api.id,
  requestTimeEpoch: request.receivedAt.getTime(),
  requestId: request.id,
  identity: {
    cognitoIdentityPoolId: null,
    accountId: null,
    cognitoIdentityId: null,
    caller: null,
    sourceIp: request.sourceIp,
    principalOrgId: null,
    accessKey: null,
    cognitoAuthenticationType: null,
    cognitoAuthenticationProvider: null,
    userArn: null,
    userAgent: headerOf(request, 'user-agent') ?? null,
    user: null,
    ...request.apiKey,
  },
  domainName: headerOf(request, 'host') ?? '',
  apiId: api.id,
});

export const pathParametersOf = ({ method, path }: GatewayRequest): Record<string, string> =>
  method?.resourcePath.endsWith('/{proxy+}') ? { proxy: path.slice(1).replace(/\/+$/, '') } : {};

const commonFields = (api: Api, request: GatewayRequest) => {
  const headers = forwardedHeaders(request);
  const query = [...request.query];
  return {
    resource: request.method?.resourcePath ?? '',
    path: request.path,
    httpMethod: request.httpMethod,
    headers: lastValues(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: nullIfEmpty(lastValues(query)),
    multiValueQueryStringParameters: nullIfEmpty(allValues(query)),
    pathParameters: nullIfEmpty(pathParametersOf(request)),
    stageVariables: null,
    requestContext: requestContext(api, request),
  };
};

/** The event for an operation's function. An empty body is null. */
export const proxyEvent = (api: Api, request: GatewayRequest, body: string) => {
  const event = commonFields(api, request);
  const { authorizer } = request;
  return {
    ...event,
    requestContext: authorizer ? { ...event.requestContext, authorizer } : event.requestContext,
    body: body === '' ? null : body,
    isBase64Encoded: false,
  };
};

/** The authorizer's event has no body, and empty objects instead of null parameters. */
export const authorizerEvent = (api: Api, request: GatewayRequest, methodArn: string) => {
  const event = commonFields(api, request);
  return {
    type: 'REQUEST',
    methodArn,
    ...event,
    queryStringParameters: event.queryStringParameters ?? {},
    multiValueQueryStringParameters: event.multiValueQueryStringParameters ?? {},
    pathParameters: event.pathParameters ?? {},
    stageVariables: {},
  };
};
