import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  PROBLEM_CONTENT_TYPE,
  type ProblemStatus,
  problem,
  RETRY_AFTER_SECONDS,
  SERVICE_FAILED,
} from '../../shared/schemas/problem.ts';

/** RFC 7617. Some clients (.NET with Credentials) send credentials only after this challenge. */
const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';

const GATEWAY_REQUEST_ID = '$context.requestId';

/** A problem as a template in which the gateway fills in the request id. */
export const problemTemplate = (status: ProblemStatus | undefined, detail: string) =>
  JSON.stringify(problem(status, detail, GATEWAY_REQUEST_ID));

/** The gateway expects a constant header value in single quotes. */
const quoteValue = (value: string) => `'${value}'`;

export const problemContentType = quoteValue(PROBLEM_CONTENT_TYPE);

type ErrorResponse = { status?: ProblemStatus; detail: string; headers?: Record<string, string> };

const unauthorized: ErrorResponse = {
  status: 401,
  detail:
    'Send the header Authorization: Basic with the base64 of user name, colon and password; it is missing or malformed, or one of the two is wrong.',
  headers: { 'WWW-Authenticate': CHALLENGE },
};

export const NOT_FOUND = 'There is nothing at this path for this method.';
const notFound: ErrorResponse = { status: 404, detail: NOT_FOUND };

const failed: ErrorResponse = { status: 500, detail: SERVICE_FAILED };

/** Clients with right credentials get this while the authorizer is throttled, a secret is unreadable or a key is new. */
const unchecked: ErrorResponse = {
  status: 503,
  detail: `The credentials cannot be checked now; send the same request again in ${RETRY_AFTER_SECONDS} seconds, which is always safe.`,
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

/**
 * One response for each type of the gateway, so that every error is a problem with its own status.
 *
 * ACCESS_DENIED is a 401: the authorizer denies wrong credentials. An address outside `allowedCidrs` gets the same.
 * Where the gateway does not call the authorizer, a request without credentials is MISSING_AUTHENTICATION_TOKEN. One
 * with credentials is INVALID_SIGNATURE, since the gateway reads every Authorization header as a signature.
 * BAD_REQUEST_PARAMETERS comes from the catch-all's required header. INTEGRATION_FAILURE is a throttled
 * function, for which AWS answers 500 unless the API sets another status. INVALID_API_KEY needs right credentials,
 * because the authorizer names the key. A deployment that adds a key can cause it for some seconds.
 *
 * The DEFAULT types serve several statuses, so they set none. Their known cases are an unreadable request (400), and a
 * function that crashed or answered in a wrong form (502).
 */
const responses: [ResponseType, ErrorResponse][] = [
  [ResponseType.UNAUTHORIZED, unauthorized],
  [ResponseType.ACCESS_DENIED, unauthorized],
  [ResponseType.EXPIRED_TOKEN, unauthorized],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, unauthorized],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.BAD_REQUEST_PARAMETERS, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    {
      status: 415,
      detail:
        'Send the body as JSON, with the header Content-Type: application/json. A Content-Encoding has to be gzip or deflate, and the body has to match it.',
    },
  ],
  [ResponseType.BAD_REQUEST_BODY, { status: 400, detail: 'The body was refused.' }],
  [
    ResponseType.REQUEST_TOO_LARGE,
    {
      status: 413,
      detail:
        'The request has too many bytes; send at most 5 MB of JSON, unpacked and without indentation, or several smaller batches.',
    },
  ],
  [ResponseType.WAF_FILTERED, { status: 403, detail: 'The request was turned away by the firewall.' }],
  [
    ResponseType.THROTTLED,
    {
      status: 429,
      detail: 'Too many requests at once; send the same request again in a second.',
      headers: { 'Retry-After': '1' },
    },
  ],
  [
    ResponseType.QUOTA_EXCEEDED,
    {
      status: 429,
      detail:
        'This client has used up its requests for today; stop sending until tomorrow (UTC), or ask the admin for a higher quota.',
      headers: { 'Retry-After': '60' },
    },
  ],
  [ResponseType.API_CONFIGURATION_ERROR, failed],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, unchecked],
  [ResponseType.AUTHORIZER_FAILURE, unchecked],
  [ResponseType.INVALID_API_KEY, unchecked],
  [ResponseType.INTEGRATION_FAILURE, failed],
  [
    ResponseType.INTEGRATION_TIMEOUT,
    {
      status: 504,
      detail: 'The service did not answer in time; send the same request again, which is always safe.',
    },
  ],
  [ResponseType.DEFAULT_4XX, { detail: 'The request was refused.' }],
  [
    ResponseType.DEFAULT_5XX,
    { detail: 'The service could not answer this request; send it again, which is always safe.' },
  ],
];

export const addGatewayResponses = (api: RestApi) => {
  for (const [type, { status, detail, headers = {} }] of responses) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status ? { statusCode: String(status) } : {}),
      responseHeaders: {
        'Content-Type': problemContentType,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, quoteValue(value)])),
      },
      templates: { 'application/json': problemTemplate(status, detail) },
    });
  }
};
