import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as v from 'valibot';
import type { Counts } from '../../shared/metrics.ts';
import { answerOk } from '../../shared/schemas/http-answer.ts';
import { refuseBody } from '../../shared/schemas/problem.ts';
import { validate } from '../../shared/schemas/validate.ts';
import { StoreUnavailable } from '../../shared/storage/store-errors.ts';
import { log } from '../observe/log.ts';
import { errorBoundary } from './error-boundary.ts';
import { normalisedHeaders, parsedJson, plainText } from './json-body.ts';
import { aboutRequest, clientOf, requestClock } from './request-log.ts';

/** What an operation sees of a request, once everything about it has been validate. */
type ApiRequest<TBody> = {
  body: TBody;
  client: string;
  requestId: string;
  /** Aborted shortly before the function's time is up, so that the client hears of it in time. */
  signal: AbortSignal;
};

/** What an operation answers, and what its log line says and counts beside the usual. */
export type Answer = { body: object; entryCount?: number; counts?: Counts };

export const ok = (body: object, more: Omit<Answer, 'body'> = {}): Answer => ({ body, ...more });

type Serve<TBody> = (request: ApiRequest<TBody>) => Promise<Answer>;

/** The way of every request through a function that takes a JSON body. */
export const apiHandler = <const TBody extends v.GenericSchema>(schema: TBody) => ({
  handler: (serve: Serve<v.InferOutput<TBody>>) =>
    stack()
      .use([...normalisedHeaders(), plainText(), parsedJson()])
      .handler(toHandler(serve, (event) => validBody(schema, event.body))),
});

/** Likewise for an operation that takes none; whatever a client sends along is not looked at. */
export const bodilessApiHandler = () => ({
  handler: (serve: Serve<undefined>) => stack().handler(toHandler(serve, () => undefined)),
});

/** Left of the function's time when an answer has to be on its way. */
const TIME_TO_ANSWER_MS = 1_000;

const stack = () =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: TIME_TO_ANSWER_MS,
    timeoutEarlyResponse: () => {
      throw new StoreUnavailable('The time for this request is up.');
    },
  })
    .use(requestClock())
    .use(errorBoundary());

const toHandler =
  <TBody>(serve: Serve<TBody>, bodyOf: (event: APIGatewayProxyEvent) => TBody) =>
  async (event: APIGatewayProxyEvent, context: Context, { signal }: { signal: AbortSignal }) => {
    const client = clientOf(event);
    if (client === undefined) throw new Error('The authorizer named no client.');
    const { requestId } = event.requestContext;
    const { body, counts, ...facts } = await serve({ body: bodyOf(event), client, requestId, signal });
    const result = answerOk(body);
    const about = { ...aboutRequest(event, context), status: result.statusCode, ...facts };
    log.info('request-served', about, counts);
    return result;
  };

const validBody = <TBody extends v.GenericSchema>(schema: TBody, body: unknown) => {
  const { output, faults } = validate(schema, body);
  if (faults) throw refuseBody(faults);
  return output;
};
