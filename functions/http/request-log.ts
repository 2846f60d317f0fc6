import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The client that the authorizer let in, by the name on every record that it writes. */
export const clientOf = (event: APIGatewayProxyEvent): string | undefined => {
  const client: unknown = event.requestContext.authorizer?.['client'];
  return typeof client === 'string' ? client : undefined;
};

/** Not of `performance`, whose module would be loaded for this alone. */
const milliseconds = () => Number(process.hrtime.bigint()) / 1e6;

const startedAt = new WeakMap<Context, number>();

/** The first middleware of the stack: what is logged as a duration starts here. */
export const requestClock = () => ({
  before: ({ context }: { context: Context }) => {
    startedAt.set(context, milliseconds());
  },
});

/** What every log line says of its request. Of the event, only what the gateway itself put there is taken. */
export const aboutRequest = (event: APIGatewayProxyEvent, context: Context) => {
  const client = clientOf(event);
  const now = milliseconds();
  return {
    requestId: event.requestContext.requestId,
    operation: `${event.httpMethod} ${event.resource}`,
    ...(client ? { client } : {}),
    durationMs: Math.round((now - (startedAt.get(context) ?? now)) * 10) / 10,
  };
};
