import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

type RequestOptions = {
  body?: string | null;
  /** The body is in base64. */
  isBase64Encoded?: boolean;
  headers?: Record<string, string>;
  client?: string;
  /** What the gateway passes on of the authorizer, where it is not the usual. */
  authorizer?: object | undefined;
  remainingMs?: number;
};

type Invokable = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const eventOf = (requestId: string, options: RequestOptions) => {
  const { body = null, isBase64Encoded = false, headers, client = 'wms', ...others } = options;
  const authorizer = 'authorizer' in others ? others.authorizer : { client };
  const event: Partial<APIGatewayProxyEvent> = {
    httpMethod: body === null ? 'GET' : 'POST',
    resource: '/rest/warehouse-control/tested',
    headers: headers ?? { 'Content-Type': 'application/json' },
    body,
    isBase64Encoded,
    requestContext: { requestId, authorizer } as never,
  };
  return event as APIGatewayProxyEvent;
};

/** Calls a handler as the gateway does and reads its answer as a client does. */
export const call = async (handler: Invokable, options: RequestOptions = {}) => {
  const requestId = randomUUID();
  const { remainingMs = 25_000 } = options;
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
  const { statusCode, headers, body } = await handler(eventOf(requestId, options), context);
  return { status: statusCode, headers, requestId, text: body, json: JSON.parse(body) };
};

export const post = (handler: Invokable, body: unknown, options: RequestOptions = {}) =>
  call(handler, { ...options, body: typeof body === 'string' ? body : JSON.stringify(body) });
