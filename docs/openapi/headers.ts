const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

const text = { type: 'string' };

export const headers = {
  RequestId: {
    description: 'What the operator finds this request by. A problem has it as requestId, too.',
    required: true,
    schema: text,
  },
  NoStore: {
    description: 'No answer is to be kept by what stands between.',
    required: true,
    schema: { const: 'no-store' },
  },
  NoStoreOfFunction: {
    description: 'On an answer of the operation itself; the gateway does not set it on its own.',
    schema: { const: 'no-store' },
  },
  ContentEncoding: {
    description: 'On an answer of 4 KB or more to a request with Accept-Encoding: gzip.',
    schema: { const: 'gzip' },
  },
  Challenge: {
    description: 'Asks a client that waits for it to send its credentials.',
    required: true,
    schema: { const: 'Basic realm="warehouse-control", charset="UTF-8"' },
  },
  RetryAfter: {
    description: 'So many seconds later the same request may be sent again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
};

/** By the names that go over the wire. */
export const everywhere = { 'x-amzn-RequestId': ref('RequestId') };
export const noStore = { 'Cache-Control': ref('NoStore') };
export const noStoreOfFunction = { 'Cache-Control': ref('NoStoreOfFunction') };
export const contentEncoding = { 'Content-Encoding': ref('ContentEncoding') };
export const challenge = { 'WWW-Authenticate': ref('Challenge') };
export const retryAfter = { 'Retry-After': ref('RetryAfter') };
