import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GatewayError, type HttpAnswer } from './answer.ts';
import { type GatewayRequest, headerOf } from './request.ts';

/** The platform's limit for a body, each way. */
export const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;

/** Reads the body to its end. Returns undefined if it is over the limit. */
export const readBody = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.byteLength;
    if (size <= MAX_PAYLOAD_BYTES) chunks.push(chunk);
  }
  return size > MAX_PAYLOAD_BYTES ? undefined : Buffer.concat(chunks);
};

export const unpack = async (request: GatewayRequest, body: Buffer) => {
  const encoding = headerOf(request, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (body.byteLength === 0 || encoding === '' || encoding === 'identity') return body;
  try {
    if (encoding !== 'gzip') throw new Error('Unknown encoding.');
    return await promisify(gunzip)(body, { maxOutputLength: MAX_PAYLOAD_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw isTooLarge
      ? new GatewayError('REQUEST_TOO_LARGE', 413, 'Request Too Long')
      : new GatewayError('UNSUPPORTED_MEDIA_TYPE', 415, 'Unsupported Media Type');
  }
};

/** Compresses only for clients that accept gzip by name, and only from the template's size on. */
export const send = async (
  outgoing: ServerResponse,
  request: GatewayRequest,
  { statusCode, headers, body }: HttpAnswer,
  compressFrom: number | undefined,
) => {
  const isPacked = compressFrom !== undefined && body.byteLength >= compressFrom && asksForGzip(request);
  const payload = isPacked ? await promisify(gzip)(body) : body;
  outgoing.statusCode = statusCode;
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  if (isPacked) outgoing.setHeader('Content-Encoding', 'gzip');
  outgoing.setHeader('Content-Length', payload.byteLength);
  outgoing.end(request.httpMethod === 'HEAD' ? undefined : payload);
};

const asksForGzip = (request: GatewayRequest) =>
  (headerOf(request, 'accept-encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => /^gzip(\s*;\s*q=(?!0(\.0*)?$).*)?$/.test(coding));
