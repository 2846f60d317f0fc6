import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

export const clientOf = (event: APIGatewayProxyEvent): string | undefined => {
  const client: unknown = event.requestContext.authorizer?.['client'];
  return typeof client === 'string' ? client : undefined;
};

/** Never goes back, unlike the wall clock. `performance` would load a Node module that nothing else needs. */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6;

const startedAt = new WeakMap<Context, number>();

export const requestClock = () => ({
  before: ({ context }: { context: Context }) => {
    startedAt.set(context, monotonicMs());
  },
});

type WithRequestIds = { requestContext: { requestId: string; extendedRequestId?: string | undefined } };

/** A client can choose its `requestId` by a header, but never the extended one. */
export const requestIds = ({ requestContext: { requestId, extendedRequestId } }: WithRequestIds) => ({
  requestId,
  ...(extendedRequestId ? { extendedRequestId } : {}),
});

/** Apart from `requestId`, only fields that the gateway sets: a client could forge others. */
export const requestFields = (event: APIGatewayProxyEvent, context: Context) => {
  const client = clientOf(event);
  const now = monotonicMs();
  return {
    ...requestIds(event),
    operation: `${event.httpMethod} ${event.resource}`,
    ...(client ? { client } : {}),
    durationMs: Math.round((now - (startedAt.get(context) ?? now)) * 10) / 10,
  };
};
