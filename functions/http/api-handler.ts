import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as v from 'valibot';
import type { Counts } from '../../shared/metrics.ts';
import { answerOk } from '../../shared/schemas/http-answer.ts';
import { refuseBody } from '../../shared/schemas/problem.ts';
import { validate } from '../../shared/schemas/validate.ts';
import { StoreUnavailable } from '../../shared/storage/store-errors.ts';
import { log } from '../log.ts';
import { errorBoundary } from './error-boundary.ts';
import { normalizeHeaders, readJsonBody, requireJsonContentType } from './json-body.ts';
import { clientOf, requestClock, requestFields } from './request-log.ts';

type ApiRequest<TBody> = {
  body: TBody;
  client: string;
  requestId: string;
  /** Aborted shortly before the function's time is up, so that the client still gets an answer. */
  signal: AbortSignal;
};

type OperationResult = { body: object; entryCount?: number; leftOutCount?: number; counts?: Counts };

export const ok = (body: object, more: Omit<OperationResult, 'body'> = {}): OperationResult => ({
  body,
  ...more,
});

type Serve<TBody> = (request: ApiRequest<TBody>) => Promise<OperationResult>;

export const apiHandler = <const TBody extends v.GenericSchema>(schema: TBody) => ({
  handler: (serve: Serve<v.InferOutput<TBody>>) =>
    baseHandler()
      .use([...normalizeHeaders(), requireJsonContentType(), readJsonBody()])
      .handler(toHandler(serve, (event) => parseBody(schema, event.body))),
});

export const bodilessApiHandler = () => ({
  handler: (serve: Serve<undefined>) => baseHandler().handler(toHandler(serve, () => undefined)),
});

const TIME_TO_ANSWER_MS = 1_000;
/** An aborted call gets this long to report its own error. */
const TIME_TO_ABORT_MS = 100;

const baseHandler = () =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: TIME_TO_ANSWER_MS,
    timeoutEarlyResponse: () =>
      new Promise((_, reject) => {
        const timeIsUp = new StoreUnavailable('The time for this request is up.');
        setTimeout(() => reject(timeIsUp), TIME_TO_ABORT_MS);
      }),
  })
    .use(requestClock())
    .use(errorBoundary());

const toHandler =
  <TBody>(serve: Serve<TBody>, bodyOf: (event: APIGatewayProxyEvent) => TBody) =>
  async (event: APIGatewayProxyEvent, context: Context, { signal }: { signal: AbortSignal }) => {
    const client = clientOf(event);
    if (client === undefined) throw new Error('The authorizer named no client.');
    const { requestId } = event.requestContext;
    const { body, counts, ...logFields } = await serve({ body: bodyOf(event), client, requestId, signal });
    const result = answerOk(body);
    const fields = { ...requestFields(event, context), status: result.statusCode, ...logFields };
    log.info('request-served', fields, counts);
    return result;
  };

const parseBody = <TBody extends v.GenericSchema>(schema: TBody, body: unknown) => {
  const { output, faults } = validate(schema, body);
  if (faults) throw refuseBody(faults);
  return output;
};
