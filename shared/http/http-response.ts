import type { APIGatewayProxyResult } from 'aws-lambda';
import { MAX_FUNCTION_RESPONSE_BYTES } from '../limits.ts';
import { type Issues, PROBLEM_CONTENT_TYPE, type ProblemStatus, problem } from './problem.ts';

export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

const httpResponse = (
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
export const okResponse = (body: object) => requireSendable(httpResponse(200, 'application/json', body));

export const problemResponse = (
  status: ProblemStatus,
  detail: string,
  requestId: string,
  more: { issues?: Issues | undefined; headers?: Record<string, string> } = {},
) =>
  httpResponse(
    status,
    PROBLEM_CONTENT_TYPE,
    {
      ...problem(status, detail, requestId),
      ...(more.issues ? { errorCount: more.issues.count, errors: more.issues.listed } : {}),
    },
    more.headers,
  );

/** A body with fewer characters is always within the limit, because a character has at most three bytes. */
const ALWAYS_SENDABLE_LENGTH = 2_000_000;

/** Without this error, a response above the limit becomes a 502 without a reason. */
const requireSendable = (response: APIGatewayProxyResult) => {
  if (response.body.length < ALWAYS_SENDABLE_LENGTH) return response;
  const bytes = Buffer.byteLength(JSON.stringify(response));
  if (bytes > MAX_FUNCTION_RESPONSE_BYTES) {
    throw new ResponseTooLarge(
      `The response has ${bytes} bytes, and Lambda allows ${MAX_FUNCTION_RESPONSE_BYTES}. The table is too large for one list.`,
    );
  }
  return response;
};
