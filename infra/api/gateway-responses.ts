import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PROBLEM_CONTENT_TYPE, type ProblemStatus, problem } from '../../shared/schemas/problem.ts';

/** RFC 7617. Without it, clients that wait to be asked (.NET with Credentials) would never log in. */
const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';

const GATEWAY_REQUEST_ID = '$context.requestId';

/** A problem as a template for the gateway, which fills in the request's id. */
export const problemTemplate = (status: ProblemStatus, detail: string) =>
  JSON.stringify(problem(status, detail, GATEWAY_REQUEST_ID));

/** The gateway takes a header's fixed value in single quotes. */
const fixed = (value: string) => `'${value}'`;

export const problemContentType = fixed(PROBLEM_CONTENT_TYPE);

type Response = { status: ProblemStatus; detail: string; headers?: Record<string, string> };

const unauthorized: Response = {
  status: 401,
  detail:
    'Send the header Authorization: Basic with the base64 of user name, colon and password; it is missing or malformed, or one of the two is wrong.',
  headers: { 'WWW-Authenticate': CHALLENGE },
};

export const NOT_FOUND = 'There is nothing at this path for this method.';
const notFound: Response = { status: 404, detail: NOT_FOUND };

const failed: Response = {
  status: 500,
  detail: 'The service failed; its operator finds this request by its id.',
};
const timedOut: Response = {
  status: 504,
  detail: 'The service did not answer in time; send the same request again, which is always safe.',
};

/**
 * One response for each type that the gateway knows, so that every error has the one shape and its own status.
 *
 * Wrong credentials reach the client by way of a cached Deny, hence ACCESS_DENIED is a 401; an address outside of
 * `allowedCidrs` gets it too, and learns no more. Where the gateway would not ask the authorizer, a request
 * without credentials is MISSING_AUTHENTICATION_TOKEN and one with them INVALID_SIGNATURE, since the gateway takes
 * every Authorization header for a signature. The catch-all's required header is BAD_REQUEST_PARAMETERS.
 */
const responses: [ResponseType, Response][] = [
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
        'Send the body as JSON, with the header Content-Type: application/json; a Content-Encoding other than a well-formed gzip is not taken.',
    },
  ],
  [ResponseType.BAD_REQUEST_BODY, { status: 400, detail: 'The body was refused.' }],
  [ResponseType.INVALID_API_KEY, { status: 403, detail: 'The request was turned away.' }],
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
      detail: 'The quota is used up; send the same request again later.',
      headers: { 'Retry-After': '60' },
    },
  ],
  [ResponseType.API_CONFIGURATION_ERROR, failed],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, failed],
  [ResponseType.AUTHORIZER_FAILURE, failed],
  [ResponseType.INTEGRATION_FAILURE, timedOut],
  [ResponseType.INTEGRATION_TIMEOUT, timedOut],
];

/**
 * What has no type of its own. No status is set, since that would change the status of a whole class; the one in
 * the body is that of the only such errors that are known: a request that the gateway cannot read, and a function
 * that crashed or answered in a form that the gateway does not take.
 */
const defaults: [ResponseType, Response][] = [
  [ResponseType.DEFAULT_4XX, { status: 400, detail: 'The request was refused.' }],
  [
    ResponseType.DEFAULT_5XX,
    {
      status: 502,
      detail: 'The service crashed on this request; sending it again is always safe.',
    },
  ],
];

export const addGatewayResponses = (api: RestApi) => {
  const add = (type: ResponseType, { status, detail, headers = {} }: Response, statusCode?: string) =>
    api.addGatewayResponse(type.responseType, {
      type,
      ...(statusCode ? { statusCode } : {}),
      responseHeaders: {
        'Content-Type': problemContentType,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fixed(value)])),
      },
      templates: { 'application/json': problemTemplate(status, detail) },
    });
  for (const [type, response] of responses) add(type, response, String(response.status));
  for (const [type, response] of defaults) add(type, response);
};
