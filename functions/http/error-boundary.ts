import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describeError } from '../../shared/describe-error.ts';
import { problemResponse, ResponseTooLarge } from '../../shared/http/http-response.ts';
import { RETRY_AFTER_SECONDS, Refusal, SERVICE_FAILED } from '../../shared/http/problem.ts';
import { StorageUnavailable } from '../../shared/storage/storage-errors.ts';
import { log } from '../log.ts';
import { requestFields } from './request-fields.ts';

type FailedRequest = {
  event: APIGatewayProxyEvent;
  context: Context;
  error: Error | null | undefined;
  response: unknown;
};

export const errorBoundary = () => ({
  onError: (request: FailedRequest) => {
    request.response = toResponse(request);
  },
});

const toResponse = ({ event, context, error }: FailedRequest): APIGatewayProxyResult => {
  const fields = requestFields(event, context);
  if (error instanceof Refusal) {
    const { status, rule, issues } = error;
    const errorCount = issues ? { errorCount: issues.count } : {};
    log.warn('request-refused', { ...fields, status, rule, ...errorCount });
    return problemResponse(status, error.message, fields.requestId, { issues });
  }
  if (error instanceof StorageUnavailable) {
    const { throttling } = error;
    const logFields = {
      ...fields,
      status: 503,
      ...(throttling ? { throttling } : {}),
      error: describeError(error),
    };
    log.error('storage-unavailable', logFields, throttling && { ThrottledRequests: 1 });
    return problemResponse(
      503,
      `The database is not available now. Send the same request again in ${RETRY_AFTER_SECONDS} seconds: a retry is always safe.`,
      fields.requestId,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
  const logCode = error instanceof ResponseTooLarge ? 'response-too-large' : 'request-failed';
  log.error(logCode, { ...fields, status: 500, error: describeError(error) });
  return problemResponse(500, SERVICE_FAILED, fields.requestId);
};
