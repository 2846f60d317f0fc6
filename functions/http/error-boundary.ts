import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describeError } from '../../shared/describe-error.ts';
import { problemResponse, ResponseTooLarge } from '../../shared/schemas/http-response.ts';
import { RETRY_AFTER_SECONDS, Refusal, SERVICE_FAILED } from '../../shared/schemas/problem.ts';
import { StoreUnavailable } from '../../shared/storage/store-errors.ts';
import { log } from '../log.ts';
import { requestFields } from './request-log.ts';

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
    const { status, faults } = error;
    const faultCount = faults ? { faultCount: faults.count } : {};
    log.warn('request-refused', { ...fields, status, ...faultCount });
    return problemResponse(status, error.message, fields.requestId, { faults });
  }
  if (error instanceof StoreUnavailable) {
    const { throttling } = error;
    const logged = {
      ...fields,
      status: 503,
      ...(throttling ? { throttling } : {}),
      error: describeError(error),
    };
    log.error('store-unavailable', logged, throttling && { ThrottledRequests: 1 });
    return problemResponse(
      503,
      `The database is not available now. Send the same request again in ${RETRY_AFTER_SECONDS} seconds: a retry is always safe.`,
      fields.requestId,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
  const logCode = error instanceof ResponseTooLarge ? 'answer-too-large' : 'request-failed';
  log.error(logCode, { ...fields, status: 500, error: describeError(error) });
  return problemResponse(500, SERVICE_FAILED, fields.requestId);
};
