const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

const text = { type: 'string' };

export const headers = {
  RequestId: {
    description: 'The id by which the operator finds this request. A problem has it as requestId, too.',
    required: true,
    schema: text,
  },
  RequestIdUnlessAtEdge: {
    description: 'The id by which the operator finds this request. The answer in plain text has none.',
    schema: text,
  },
  NoStore: {
    description: 'Proxies and caches must not store an answer.',
    required: true,
    schema: { const: 'no-store' },
  },
  NoStoreOfFunction: {
    description: 'Answers of the operation itself have it; answers of the gateway do not.',
    schema: { const: 'no-store' },
  },
  ContentEncoding: {
    description:
      'Answers of the operation itself have it, if the request has Accept-Encoding: gzip or deflate.',
    schema: { enum: ['gzip', 'deflate'] },
  },
  Challenge: {
    description: 'Makes clients that wait for a challenge send their credentials.',
    required: true,
    schema: { const: 'Basic realm="warehouse-control", charset="UTF-8"' },
  },
  RetryAfter: {
    description: 'The number of seconds after which to send the same request again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
};

/** Headers of responses, by name. */
export const requestId = { 'x-amzn-RequestId': ref('RequestId') };
export const requestIdUnlessAtEdge = { 'x-amzn-RequestId': ref('RequestIdUnlessAtEdge') };
export const noStore = { 'Cache-Control': ref('NoStore') };
export const contentEncoding = { 'Content-Encoding': ref('ContentEncoding') };
/** Answers of functions can have these. The gateway's own answers never have them. */
export const functionHeaders = { 'Cache-Control': ref('NoStoreOfFunction'), ...contentEncoding };
export const challenge = { 'WWW-Authenticate': ref('Challenge') };
export const retryAfter = { 'Retry-After': ref('RetryAfter') };
