import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { okResponse } from '../../shared/http/http-response.ts';
import { bodyRefusal } from '../../shared/http/problem.ts';
import { validate } from '../../shared/schemas/validate.ts';
import { StorageUnavailable } from '../../shared/storage/storage-errors.ts';
import { log } from '../log.ts';
import { errorBoundary } from './error-boundary.ts';
import { normalizeHeaders, readJsonBody, requireJsonContentType } from './json-body.ts';
import { clientOf, rememberStart, requestFields, requestIdOf } from './request-fields.ts';

type ApiRequest<TBody> = {
  body: TBody;
  client: string;
  requestId: string;
  /** Aborted shortly before the function's timeout, so that the client still gets a response. */
  signal: AbortSignal;
};

type OperationResult = {
  body: object;
  entryCount?: number;
  rowCount?: number;
  incompleteRowCount?: number | undefined;
};

export const ok = (body: object, more: Omit<OperationResult, 'body'> = {}): OperationResult => ({
  body,
  ...more,
});

type Serve<TBody> = (request: ApiRequest<TBody>) => Promise<OperationResult>;

export const apiHandler = <const TSchema extends v.GenericSchema>(
  schema: TSchema,
  serve: Serve<v.InferOutput<TSchema>>,
) =>
  commonMiddleware()
    .use([...normalizeHeaders(), requireJsonContentType(), readJsonBody()])
    .handler(respondWith(serve, (event) => parseBody(schema, event.body)));

export const apiHandlerWithoutBody = (serve: Serve<undefined>) =>
  commonMiddleware().handler(respondWith(serve, () => undefined));

/** The function stops its work this long before its timeout, and responds with a 503. */
const STOP_BEFORE_TIMEOUT_MS = 1_000;
/** Aborted calls get this long to fail with their own error, which explains more than a timeout. */
const WAIT_FOR_ABORTED_CALLS_MS = 100;

const commonMiddleware = () =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: STOP_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () =>
      new Promise((_, reject) => {
        const timeIsUp = new StorageUnavailable('The time for this request is up.');
        setTimeout(() => reject(timeIsUp), WAIT_FOR_ABORTED_CALLS_MS);
      }),
  })
    .use(rememberStart())
    .use(errorBoundary());

const respondWith =
  <TBody>(serve: Serve<TBody>, bodyOf: (event: APIGatewayProxyEvent) => TBody) =>
  async (event: APIGatewayProxyEvent, context: Context, { signal }: { signal: AbortSignal }) => {
    const client = clientOf(event);
    if (client === undefined) throw new Error('The authorizer named no client.');
    const requestId = requestIdOf(event);
    const { body, ...logFields } = await serve({ body: bodyOf(event), client, requestId, signal });
    const response = okResponse(body);
    const fields = { ...requestFields(event, context), status: response.statusCode, ...logFields };
    log.info('request-served', fields);
    return response;
  };

const parseBody = <TSchema extends v.GenericSchema>(schema: TSchema, body: unknown) => {
  const { output, issues } = validate(schema, body);
  if (issues) throw bodyRefusal(issues);
  return output;
};
