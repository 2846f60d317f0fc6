import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describeError } from '../../shared/describe-error.ts';
import { AnswerTooLarge, answerProblem } from '../../shared/schemas/http-answer.ts';
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
    request.response = toAnswer(request);
  },
});

const toAnswer = ({ event, context, error }: FailedRequest): APIGatewayProxyResult => {
  const fields = requestFields(event, context);
  if (error instanceof Refusal) {
    const { status, faults } = error;
    const faultCount = faults ? { faultCount: faults.count } : {};
    log.warn('request-refused', { ...fields, status, ...faultCount });
    return answerProblem(status, error.message, fields.requestId, { faults });
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
    return answerProblem(
      503,
      `The database is not available now, and nothing was confirmed as stored. Send the same request again in ${RETRY_AFTER_SECONDS} seconds: a retry is always safe.`,
      fields.requestId,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
  const code = error instanceof AnswerTooLarge ? 'answer-too-large' : 'request-failed';
  log.error(code, { ...fields, status: 500, error: describeError(error) });
  return answerProblem(500, SERVICE_FAILED, fields.requestId);
};
