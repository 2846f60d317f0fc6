import { CHALLENGE } from '../../shared/http/problem.ts';

const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

const text = { type: 'string' };

export const headers = {
  RequestId: {
    description:
      'The id of this request in the logs of the operator. The field requestId of a problem has the same id.',
    required: true,
    schema: text,
  },
  RequestIdUnlessAtEdge: {
    description: 'The id of this request in the logs of the operator. The response in plain text has no id.',
    schema: text,
  },
  NoStore: {
    description: 'Proxies and caches must not store the response.',
    required: true,
    schema: { ...text, const: 'no-store' },
  },
  NoStoreOfFunction: {
    description:
      'Responses of the operation itself have this header. Responses of the gateway do not have it.',
    schema: { ...text, const: 'no-store' },
  },
  ContentEncoding: {
    description:
      'The encoding of a compressed response. The operation compresses its responses if the request has Accept-Encoding: gzip or deflate.',
    schema: { ...text, enum: ['gzip', 'deflate'] },
  },
  Challenge: {
    description: 'The challenge. Some HTTP libraries wait for the challenge before they send credentials.',
    required: true,
    schema: { ...text, const: CHALLENGE },
  },
  RetryAfter: {
    description:
      'Wait this number of seconds before you send the same request again. If it is more than 60, do not wait: stop and notify somebody.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
};

/** Headers of responses, by name. */
export const requestId = { 'x-amz-apigw-id': ref('RequestId') };
export const requestIdUnlessAtEdge = { 'x-amz-apigw-id': ref('RequestIdUnlessAtEdge') };
export const noStore = { 'Cache-Control': ref('NoStore') };
export const contentEncoding = { 'Content-Encoding': ref('ContentEncoding') };
/** Responses of functions can have these headers. The gateway's own responses never have them. */
export const functionHeaders = { 'Cache-Control': ref('NoStoreOfFunction'), ...contentEncoding };
export const challenge = { 'WWW-Authenticate': ref('Challenge') };
export const retryAfter = { 'Retry-After': ref('RetryAfter') };
