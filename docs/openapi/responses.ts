import { PROBLEM_CONTENT_TYPE, type ProblemStatus } from '../../shared/schemas/problem.ts';
import { BATCH_TOO_LONG } from '../../shared/schemas/stock-balance.ts';
import { problemExample, refusals } from './examples.ts';
import { challenge, contentEncoding, noStore, noStoreOfFunction, requestId, retryAfter } from './headers.ts';
import { schemaRef } from './schemas.ts';

const problemContent = (examples: object) => ({
  [PROBLEM_CONTENT_TYPE]: { schema: schemaRef('Problem'), examples },
});

/** A response with one fixed problem. */
const problemResponse = (
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
    'The body is not JSON or breaks a rule. Nothing of it was kept. Fix what detail and errors name.',
  headers: { ...requestId, ...noStoreOfFunction },
  content: problemContent(examples),
});

/** The platform refuses these requests before the service, so the body is not a problem of RFC 9457. */
const tooManyBytes = {
  'application/json': {
    schema: schemaRef('PlatformRefusal'),
    examples: {
      tooManyBytes: {
        summary: 'More bytes than the platform accepts',
        value: { message: 'Request Too Long' },
      },
    },
  },
};

const NOT_JSON = 'Send the body as JSON, with the header Content-Type: application/json.';
const NOT_ENCODED =
  'Send the body as JSON, with the header Content-Type: application/json; the body does not match its Content-Encoding, or that is not gzip or deflate.';

export const responses = {
  ChangeRefused: refusedBody(refusals.change),
  BatchRefused: refusedBody(refusals.batch),
  Unauthorized: problemResponse(
    401,
    'Credentials are missing, malformed or wrong, or the deployment does not allow the address. The answer is the same for all.',
    'Send the header Authorization: Basic with the base64 of user name, colon and password; it is missing or malformed, or one of the two is wrong.',
    challenge,
  ),
  Forbidden: problemResponse(
    403,
    'The firewall of the deployment refused the request.',
    'The request was turned away by the firewall.',
  ),
  NotFound: problemResponse(
    404,
    'No operation has this path and method. Without valid credentials it is a 401.',
    'There is nothing at this path for this method.',
    contentEncoding,
  ),
  TooManyBytes: {
    description: 'More bytes than the platform accepts. The answer has the form of the platform.',
    headers: { ...requestId },
    content: tooManyBytes,
  },
  BatchTooLarge: {
    description:
      'Too many entries, or more bytes than the platform accepts, which it answers in its own form. Send smaller batches.',
    headers: { ...requestId, ...noStoreOfFunction },
    content: {
      ...problemContent({
        tooManyEntries: problemExample(413, 'Too many entries', BATCH_TOO_LONG),
      }),
      ...tooManyBytes,
    },
  },
  NotJson: {
    description:
      'The content type is not JSON, or the body does not match its encoding. Fix the header or the encoding.',
    headers: { ...requestId, ...noStoreOfFunction },
    content: problemContent({
      contentType: problemExample(415, 'Another content type, or none', NOT_JSON),
      encoding: problemExample(415, 'Another encoding, or a broken body', NOT_ENCODED),
    }),
  },
  Throttled: problemResponse(
    429,
    'More requests at once than the deployment allows. Wait for Retry-After and send it again.',
    'Too many requests at once; send the same request again in a second.',
    retryAfter,
  ),
  Failed: problemResponse(
    500,
    'A fault of the service. Give its operator the requestId.',
    'The service failed; its operator finds this request by its id.',
    noStoreOfFunction,
  ),
  Crashed: problemResponse(
    502,
    'The service crashed on this request. Send it again.',
    'The service crashed on this request; sending it again is always safe.',
  ),
  Unavailable: problemResponse(
    503,
    'The tables cannot store or read now. Wait for Retry-After and send it again.',
    'The store cannot take this now and nothing was confirmed as kept; send the same request again in 5 seconds.',
    { ...noStore, ...retryAfter },
  ),
  TimedOut: problemResponse(
    504,
    'The service took too long. Send it again.',
    'The service did not answer in time; send the same request again, which is always safe.',
  ),
};

export const responseRef = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` });
