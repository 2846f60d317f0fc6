import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

export const clientOf = (event: APIGatewayProxyEvent): string | undefined => {
  const client: unknown = event.requestContext.authorizer?.['client'];
  return typeof client === 'string' ? client : undefined;
};

/** Never goes back, unlike the date. `performance` would load a Node module that nothing else needs. */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6;

const startedAt = new WeakMap<Context, number>();

export const rememberStart = () => ({
  before: ({ context }: { context: Context }) => {
    startedAt.set(context, monotonicMs());
  },
});

type WithRequestId = { requestContext: { extendedRequestId?: string | undefined } };

/** The gateway's own id. A client can set `requestContext.requestId` to a text of kilobytes by a header. */
export const requestIdOf = ({ requestContext }: WithRequestId) => requestContext.extendedRequestId ?? '-';

/** A longer user agent only makes the log more expensive. */
const MAX_USER_AGENT_LENGTH = 200;

/** Uses only fields that the gateway sets, and the user agent. A client could forge the other fields of the event. */
export const requestFields = (event: APIGatewayProxyEvent, context: Context) => {
  const client = clientOf(event);
  const now = monotonicMs();
  return {
    requestId: requestIdOf(event),
    operation: `${event.httpMethod} ${event.resource}`,
    ...(client ? { client } : {}),
    userAgent: event.requestContext.identity.userAgent?.slice(0, MAX_USER_AGENT_LENGTH),
    durationMs: Math.round((now - (startedAt.get(context) ?? now)) * 10) / 10,
  };
};
