import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  CHALLENGE,
  PROBLEM_CONTENT_TYPE,
  type ProblemStatus,
  problem,
  RETRY_AFTER_SECONDS,
  SERVICE_FAILED,
} from '../../shared/http/problem.ts';
import type { Plan } from '../settings/plan-settings.ts';

/** No client can set this id. A client can set `$context.requestId` to any text. */
const GATEWAY_REQUEST_ID = '$context.extendedRequestId';

export const problemTemplate = (status: ProblemStatus | undefined, detail: string) =>
  JSON.stringify(problem(status, detail, GATEWAY_REQUEST_ID));

/** The gateway expects a constant header value in single quotes. */
const quoteValue = (value: string) => `'${value}'`;

export const problemContentType = quoteValue(PROBLEM_CONTENT_TYPE);

type ErrorResponse = { status?: ProblemStatus; detail: string; headers?: Record<string, string> };

const unauthorized: ErrorResponse = {
  status: 401,
  detail:
    'The user name or the password is wrong, or the Authorization header is missing or malformed. Send Authorization: Basic with the base64 of user name, colon and password.',
  headers: { 'WWW-Authenticate': CHALLENGE },
};

export const NOT_FOUND = 'No operation has this path and this method.';
const notFound: ErrorResponse = { status: 404, detail: NOT_FOUND };

const serviceFailure: ErrorResponse = { status: 500, detail: SERVICE_FAILED };

/** Right credentials get this response, too, if Lambda throttles the authorizer, the clients are unreadable, or an API key is new or removed. */
const uncheckedCredentials: ErrorResponse = {
  status: 503,
  detail: `The credentials cannot be checked now. Send the same request again in ${RETRY_AFTER_SECONDS} seconds: a retry is always safe.`,
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

/** The keys are API Gateway's names of its responses. */
const responses: Record<string, ErrorResponse> = {
  UNAUTHORIZED: unauthorized,
  // The authorizer denied the credentials, or the address is outside `allowedCidrs`.
  ACCESS_DENIED: unauthorized,
  EXPIRED_TOKEN: unauthorized,
  MISSING_AUTHENTICATION_TOKEN: unauthorized,
  // On an unknown route, the gateway reads every Authorization header as a signature.
  INVALID_SIGNATURE: notFound,
  // On unknown paths, not-found-routes.ts requires a header that no client sends.
  BAD_REQUEST_PARAMETERS: notFound,
  RESOURCE_NOT_FOUND: notFound,
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    detail:
      'Send the body as JSON, with the header Content-Type: application/json. A Content-Encoding must be gzip or deflate, and the body must match it.',
  },
  BAD_REQUEST_BODY: { status: 400, detail: 'The body was refused.' },
  REQUEST_TOO_LARGE: {
    status: 413,
    detail:
      'The request has too many bytes. Send at most 5 MB of JSON without indentation, counted before compression. Split a larger batch.',
  },
  WAF_FILTERED: { status: 403, detail: 'The firewall blocked this request.' },
  QUOTA_EXCEEDED: {
    status: 429,
    // A gateway response cannot compute the time until midnight. Programs stop at a pause of an hour (docs/integration.md).
    detail:
      'This client has used all its requests for today. Send nothing until midnight UTC, or ask the admin for a higher quota.',
    headers: { 'Retry-After': '3600' },
  },
  API_CONFIGURATION_ERROR: serviceFailure,
  AUTHORIZER_CONFIGURATION_ERROR: uncheckedCredentials,
  AUTHORIZER_FAILURE: uncheckedCredentials,
  // This type occurs for some seconds after a deployment that adds or removes slots.
  INVALID_API_KEY: uncheckedCredentials,
  // Lambda throttled the function.
  INTEGRATION_FAILURE: serviceFailure,
  INTEGRATION_TIMEOUT: {
    status: 504,
    detail: 'The service did not answer in time. Send the same request again: a retry is always safe.',
  },
  // These types serve several statuses, such as 400 for an unreadable request and 502 for a crashed function.
  DEFAULT_4XX: { detail: 'The request was refused.' },
  DEFAULT_5XX: {
    detail: 'The service could not answer this request. Send it again: a retry is always safe.',
  },
};

/** A program stops at a longer pause (docs/integration.md). */
const LONGEST_PAUSE_SECONDS = 60;

/** Names the pause of the slowest plan, because the gateway does not say which plan a 429 comes from. */
export const throttledBy = (plans: readonly Pick<Plan, 'rate' | 'batches'>[]): ErrorResponse => {
  const slowestRate = Math.min(...plans.map(({ rate, batches }) => Math.min(rate, batches.rate)));
  const seconds = Math.min(Math.ceil(1 / slowestRate), LONGEST_PAUSE_SECONDS);
  const pause = seconds === 1 ? 'one second' : `${seconds} seconds`;
  return {
    status: 429,
    detail: `Too many requests at once. Send the same request again in ${pause}.`,
    headers: { 'Retry-After': String(seconds) },
  };
};

export const addGatewayResponses = (api: RestApi, plans: readonly Plan[]) => {
  const all = { ...responses, THROTTLED: throttledBy(plans) };
  for (const [type, { status, detail, headers = {} }] of Object.entries(all)) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      ...(status ? { statusCode: String(status) } : {}),
      responseHeaders: {
        'Content-Type': problemContentType,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, quoteValue(value)])),
      },
      templates: { 'application/json': problemTemplate(status, detail) },
    });
  }
};
