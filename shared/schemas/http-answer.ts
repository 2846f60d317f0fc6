import type { APIGatewayProxyResult } from 'aws-lambda';
import { MAX_FUNCTION_ANSWER_BYTES } from './limits.ts';
import { type Faults, PROBLEM_CONTENT_TYPE, type ProblemStatus, problem } from './problem.ts';

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

const httpAnswer = (
  statusCode: number,
  contentType: string,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Always 200, because old clients test for exactly 200. */
export const answerOk = (body: object) => requireSendable(httpAnswer(200, 'application/json', body));

export const answerProblem = (
  status: ProblemStatus,
  detail: string,
  requestId: string,
  more: { faults?: Faults | undefined; headers?: Record<string, string> } = {},
) =>
  httpAnswer(
    status,
    PROBLEM_CONTENT_TYPE,
    {
      ...problem(status, detail, requestId),
      ...(more.faults ? { errorCount: more.faults.count, errors: more.faults.listed } : {}),
    },
    more.headers,
  );

/** A shorter body cannot exceed the limit: a character takes at most three bytes. */
const ALWAYS_SENDABLE_LENGTH = 2_000_000;

/** Lambda replaces a larger answer by a 502 without a reason. */
const requireSendable = (result: APIGatewayProxyResult) => {
  if (result.body.length < ALWAYS_SENDABLE_LENGTH) return result;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > MAX_FUNCTION_ANSWER_BYTES) {
    throw new AnswerTooLarge(
      `The answer has ${bytes} bytes, and Lambda allows ${MAX_FUNCTION_ANSWER_BYTES}. The table is too large for one list.`,
    );
  }
  return result;
};
