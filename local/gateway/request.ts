import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Api, Method } from './api.ts';

export type Header = [name: string, value: string];

export type GatewayRequest = {
  /** The sender can set this id (developer guide, "Set up CloudWatch logging for REST APIs"). */
  id: string;
  /** The sender cannot set this id. */
  extendedId: string;
  receivedAt: Date;
  httpMethod: string;
  /** The path after the API stage, with one slash at the start. */
  path: string;
  headers: Header[];
  method?: Method;
  /** The context that the authorizer returned. */
  authorizer?: Record<string, string | null>;
};

export const readRequest = (incoming: IncomingMessage, path: string, receivedAt: Date): GatewayRequest => ({
  id: String(incoming.headers['x-amzn-requestid'] ?? randomUUID()),
  extendedId: randomBytes(11).toString('base64'),
  receivedAt,
  httpMethod: incoming.method ?? 'GET',
  path: path.replace(/^\/+/, '/'),
  headers: incoming.rawHeaders.flatMap((name, index, rawHeaders): Header[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  ),
});

export const headerOf = ({ headers }: GatewayRequest, name: string) =>
  headers.findLast(([sent]) => sent.toLowerCase() === name)?.[1];

/** The call that a policy allows or denies. */
export const callOf = ({ arn, stage }: Api, { httpMethod, path }: GatewayRequest) => ({
  action: 'execute-api:Invoke',
  resource: `${arn}/${stage}/${httpMethod}${path}`,
});

const allValues = (headers: Header[]) => {
  const values = Map.groupBy(headers, ([name]) => name);
  return Object.fromEntries([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
};

/** The fields of an event that functions read. Header names keep their case. `headers` has the last value of each name. */
const commonFields = (api: Api, request: GatewayRequest) => ({
  resource: request.method?.resourcePath,
  path: request.path,
  httpMethod: request.httpMethod,
  headers: Object.fromEntries(request.headers),
  multiValueHeaders: allValues(request.headers),
  requestContext: {
    stage: api.stage,
    requestId: request.id,
    extendedRequestId: request.extendedId,
    identity: { userAgent: headerOf(request, 'user-agent') ?? null },
    ...(request.authorizer ? { authorizer: request.authorizer } : {}),
  },
});

/** Headers that the gateway keeps from an operation's function (recorded on AWS by LocalStack). */
const DROPPED = new Set([
  ...['connection', 'content-length', 'content-md5', 'expect', 'max-forwards', 'proxy-authenticate'],
  ...['server', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'www-authenticate'],
]);

/** The event for an operation's function. An empty body is null. */
export const proxyEvent = (api: Api, request: GatewayRequest, body: string) => ({
  ...commonFields(api, {
    ...request,
    headers: request.headers.filter(([name]) => !DROPPED.has(name.toLowerCase())),
  }),
  body: body === '' ? null : body,
  isBase64Encoded: false,
});

/** The authorizer's event has no body. */
export const authorizerEvent = (api: Api, request: GatewayRequest) => ({
  type: 'REQUEST',
  methodArn: callOf(api, request).resource,
  ...commonFields(api, request),
});
