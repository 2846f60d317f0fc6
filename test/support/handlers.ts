import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, vi } from 'vitest';

type RequestOptions = {
  body?: string | null;
  /** The body is in base64. */
  isBase64Encoded?: boolean;
  headers?: Record<string, string>;
  client?: string;
  /** The authorizer's context in the event; by default it has the client only. */
  authorizer?: object | undefined;
  remainingMs?: number;
  /** The extended id of the gateway. With null, the event has no extended id. */
  requestId?: string | null;
  userAgent?: string | null;
};

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The id that a client sends in the header x-amzn-RequestId. */
const CHOSEN_BY_CLIENT = 'chosen-by-the-client-'.repeat(100);

const eventOf = (requestId: string | null, options: RequestOptions) => {
  const { body = null, isBase64Encoded = false, headers, client = 'wms', ...others } = options;
  const { userAgent = 'libcurl-agent/1.0' } = options;
  const authorizer = 'authorizer' in others ? others.authorizer : { client };
  const event: Partial<APIGatewayProxyEvent> = {
    httpMethod: body === null ? 'GET' : 'POST',
    resource: '/rest/warehouse-control/tested',
    headers: headers ?? { 'Content-Type': 'application/json' },
    body,
    isBase64Encoded,
    requestContext: {
      requestId: CHOSEN_BY_CLIENT,
      extendedRequestId: requestId ?? undefined,
      identity: { userAgent },
      authorizer,
    } as never,
  };
  return event as APIGatewayProxyEvent;
};

/** Calls a handler as the gateway does and reads its response as a client does. */
export const call = async (handler: Handler, options: RequestOptions = {}) => {
  const { remainingMs = 25_000, requestId = randomUUID() } = options;
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
  const { statusCode, headers, body } = await handler(eventOf(requestId, options), context);
  return { status: statusCode, headers, requestId, text: body, json: JSON.parse(body) };
};

export const post = (handler: Handler, body: unknown, options: RequestOptions = {}) =>
  call(handler, { ...options, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** Collects what each test of a file writes to the log, one JSON object a line. */
export const collectLog = () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());
  return { text: () => lines.join(''), entries: () => lines.map((line) => JSON.parse(line)) };
};

/** The fields that make a log line a metric with these dimensions, in CloudWatch's embedded metric format. */
export const metricFields = (dimensions: string[][], counts: Record<string, number>) => ({
  ...counts,
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: Object.keys(counts).map((Name) => ({
      Namespace: 'Counted',
      Dimensions: dimensions,
      Metrics: [{ Name, Unit: 'Count' }],
    })),
  },
});
