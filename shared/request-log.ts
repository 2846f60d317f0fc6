import { performance } from 'node:perf_hooks';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { clientOf } from './client-of.ts';

const startedAt = new WeakMap<Context, number>();

/** The first middleware of the stack: what is logged as a duration starts here. */
export const requestClock = () => ({
  before: ({ context }: { context: Context }) => {
    startedAt.set(context, performance.now());
  },
});

/** What every log line says of its request. Of the event, only what the gateway itself put there is taken. */
export const aboutRequest = (event: APIGatewayProxyEvent, context: Context) => {
  const client = clientOf(event);
  return {
    requestId: event.requestContext.requestId,
    operation: `${event.httpMethod} ${event.resource}`,
    ...(client ? { client } : {}),
    durationMs: Math.round((performance.now() - (startedAt.get(context) ?? performance.now())) * 10) / 10,
  };
};
