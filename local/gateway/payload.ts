import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { deflate, gunzip, gzip, inflate } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import { GatewayError } from './errors.ts';
import { type GatewayRequest, headerOf } from './request.ts';
import type { WireResponse } from './response.ts';

export const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;

/** Lambda's limit. */
export const MAX_EVENT_BYTES = 6_291_456;

/** The platform's codings. `deflate` is the zlib format (RFC 9110), and raw deflate data is refused. */
const CODINGS = new Map([
  ['gzip', { compress: promisify(gzip), decompress: promisify(gunzip) }],
  ['deflate', { compress: promisify(deflate), decompress: promisify(inflate) }],
]);

export const decompress = async (request: GatewayRequest, body: Buffer) => {
  const name = headerOf(request, 'content-encoding')?.toLowerCase() ?? '';
  if (body.byteLength === 0 || name === '' || name === 'identity') return body;
  try {
    const coding = CODINGS.get(name);
    if (!coding) throw new Error('Unknown coding.');
    // No event can hold more than this, so a small body that unpacks to gigabytes takes no memory.
    return await coding.decompress(body, { maxOutputLength: MAX_EVENT_BYTES });
  } catch (error) {
    throw new GatewayError(error instanceof RangeError ? 'REQUEST_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE');
  }
};

/** Compresses an integration's response, unless the function has compressed it. */
export const compress = async (request: GatewayRequest, response: WireResponse): Promise<WireResponse> => {
  // If the platform does not support the first coding with the highest weight, nothing is compressed.
  const [best] = parseAccept(headerOf(request, 'accept-encoding') ?? '').filter(({ q }) => q > 0);
  const name = best?.type.toLowerCase() ?? '';
  const coding = CODINGS.get(name);
  const isEncoded = response.headers.some(([header]) => header.toLowerCase() === 'content-encoding');
  if (!coding || isEncoded) return response;
  return {
    ...response,
    headers: [...response.headers, ['Content-Encoding', name]],
    body: await coding.compress(response.body),
  };
};

export const send = (
  outgoing: ServerResponse,
  request: GatewayRequest,
  { statusCode, headers, body }: WireResponse,
) => {
  outgoing.statusCode = statusCode;
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  outgoing.setHeader('Content-Length', body.byteLength);
  outgoing.end(request.httpMethod === 'HEAD' ? undefined : body);
};
