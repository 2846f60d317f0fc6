import { PROBLEM_CONTENT_TYPE, type ProblemStatus, SERVICE_FAILED } from '../../shared/http/problem.ts';
import { BATCH_TOO_LONG } from '../../shared/schemas/stock-balance.ts';
import { problemExample, refusalExamples } from './examples.ts';
import { challenge, functionHeaders, requestId, requestIdUnlessAtEdge, retryAfter } from './headers.ts';
import { schemaRef } from './schemas.ts';

const problemContent = (examples: object) => ({
  [PROBLEM_CONTENT_TYPE]: { schema: schemaRef('Problem'), examples },
});

/** A response with one fixed problem. */
const responseWithProblem = (
  status: ProblemStatus,
  description: string,
  detail: string,
  headers: object = {},
) => ({
  description,
  headers: { ...requestId, ...headers },
  content: problemContent({ problem: problemExample(status, description, detail) }),
});

const refusedBody = (examples: object) => ({
  description:
    'The body is not JSON or breaks a rule. The service stored nothing. Fix what detail and errors name.',
  headers: { ...requestId, ...functionHeaders },
  content: problemContent(examples),
});

const TOO_MANY_BYTES = problemExample(
  413,
  'More than about 6 MB at the service',
  'The request has too many bytes. Send at most 5 MB of JSON without indentation, counted before compression. Split a larger batch.',
);

/** The edge of the platform refuses these requests before it knows the API, and responds in plain text. */
const tooManyBytesForEdge = {
  'text; charset=utf-8': {
    schema: { type: 'string' },
    examples: {
      tooManyBytesForEdge: {
        summary: 'More than 10 MB',
        value: 'HTTP content length exceeded 10485760 bytes.',
      },
    },
  },
};

const NOT_JSON_DETAIL = 'Send the body as JSON, with the header Content-Type: application/json.';
const NOT_ENCODED_DETAIL = `${NOT_JSON_DETAIL} A Content-Encoding must be gzip or deflate, and the body must match it.`;

export const responses = {
  ChangeRefused: refusedBody(refusalExamples.change),
  BatchRefused: refusedBody(refusalExamples.batch),
  Unauthorized: responseWithProblem(
    401,
    'The credentials are missing, malformed or wrong, or the deployment does not allow your IP address. The response is the same in all these cases.',
    'The user name or the password is wrong, or the Authorization header is missing or malformed. Send Authorization: Basic with the base64 of user name, colon and password.',
    challenge,
  ),
  Forbidden: responseWithProblem(
    403,
    'The firewall of the deployment refused the request.',
    'The firewall blocked this request.',
  ),
  TooManyBytes: {
    description:
      'The request has too many bytes. Above about 6 MB the response is a problem. Above 10 MB it is plain text.',
    headers: { ...requestIdUnlessAtEdge },
    content: { ...problemContent({ tooManyBytes: TOO_MANY_BYTES }), ...tooManyBytesForEdge },
  },
  BatchTooLarge: {
    description:
      'The batch has too many entries or too many bytes. Above about 6 MB the response is a problem. Above 10 MB it is plain text. Send smaller batches.',
    headers: { ...requestIdUnlessAtEdge, ...functionHeaders },
    content: {
      ...problemContent({
        tooManyEntries: problemExample(413, 'Too many entries', BATCH_TOO_LONG),
        tooManyBytes: TOO_MANY_BYTES,
      }),
      ...tooManyBytesForEdge,
    },
  },
  NotJson: {
    description:
      'The content type is not JSON, or the body does not match its encoding. Fix the header or the encoding.',
    headers: { ...requestId, ...functionHeaders },
    content: problemContent({
      contentType: problemExample(415, 'Another content type, or none', NOT_JSON_DETAIL),
      encoding: problemExample(415, 'Another encoding, or a broken body', NOT_ENCODED_DETAIL),
    }),
  },
  EncodingRefused: responseWithProblem(
    415,
    'The request has a body that does not match its Content-Encoding, or another encoding than gzip and deflate. Send no body and no Content-Encoding.',
    NOT_ENCODED_DETAIL,
  ),
  Throttled: {
    description:
      'This client, or all clients together, sent more requests than allowed. The service stored nothing. Wait as long as Retry-After says and send the request again. After each further 429, wait twice as long, up to 60 seconds. If Retry-After is more than 60, stop: the requests for today are used up.',
    headers: { ...requestId, ...retryAfter },
    content: problemContent({
      throttled: problemExample(
        429,
        'Too many requests at once, with Retry-After: 10',
        'Too many requests at once. Send the same request again in 10 seconds.',
      ),
      quota: problemExample(
        429,
        'The requests for today are used up, with Retry-After: 3600',
        'This client has used all its requests for today. Send nothing until midnight UTC, or ask the admin for a higher quota.',
      ),
    }),
  },
  Failed: responseWithProblem(
    500,
    'The service failed, or no function was free. Send the request again after a pause. If that does not help, give the operator the requestId.',
    SERVICE_FAILED,
    functionHeaders,
  ),
  Crashed: {
    description: 'The service crashed on this request. Send the request again after a pause.',
    headers: requestId,
    content: problemContent({
      problem: problemExample(
        undefined,
        'No usable response, so no title and no status',
        'The service could not answer this request. Send it again: a retry is always safe.',
      ),
    }),
  },
  Unavailable: {
    description:
      'The database is not available now, or the credentials cannot be checked. Wait as long as Retry-After says and send the request again.',
    headers: { ...requestId, ...functionHeaders, ...retryAfter },
    content: problemContent({
      tables: problemExample(
        503,
        'The database is not available',
        'The database is not available now. Send the same request again in 5 seconds: a retry is always safe.',
      ),
      credentials: problemExample(
        503,
        'The credentials cannot be checked',
        'The credentials cannot be checked now. Send the same request again in 5 seconds: a retry is always safe.',
      ),
    }),
  },
  TimedOut: responseWithProblem(
    504,
    'The service took too long. Send the request again after a pause.',
    'The service did not answer in time. Send the same request again: a retry is always safe.',
  ),
};

export const responseRef = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` });
