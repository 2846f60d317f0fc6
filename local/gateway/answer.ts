import { randomBytes } from 'node:crypto';
import { isRecord } from '../../shared/schemas/json.ts';
import type { Api } from './api.ts';
import { type GatewayRequest, traceOf } from './request.ts';

export type HttpAnswer = { statusCode: number; headers: [string, string][]; body: Buffer };

/** The template may define the response for the type of the error. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly type: string;
  readonly statusCode: number;

  constructor(type: string, statusCode: number, message: string) {
    super(message);
    this.type = type;
    this.statusCode = statusCode;
  }
}

/** Values of the x-amzn-ErrorType header. Other types use BadRequestException (4xx) or InternalServerErrorException (5xx). */
const ERROR_NAMES: Record<string, string> = {
  ACCESS_DENIED: 'AccessDeniedException',
  AUTHORIZER_CONFIGURATION_ERROR: 'AuthorizerConfigurationException',
  AUTHORIZER_FAILURE: 'AuthorizerFailureException',
  INVALID_API_KEY: 'ForbiddenException',
  INVALID_SIGNATURE: 'InvalidSignatureException',
  MISSING_AUTHENTICATION_TOKEN: 'MissingAuthenticationTokenException',
  QUOTA_EXCEEDED: 'LimitExceededException',
  THROTTLED: 'TooManyRequestsException',
  UNAUTHORIZED: 'UnauthorizedException',
};

const errorName = ({ type, statusCode }: GatewayError) =>
  ERROR_NAMES[type] ?? (statusCode < 500 ? 'BadRequestException' : 'InternalServerErrorException');

/** The platform refuses more than 10 MB before it finds the API, so there is no template and no request id. */
export const OVER_PAYLOAD_LIMIT: HttpAnswer = {
  statusCode: 413,
  headers: [['Content-Type', 'text; charset=utf-8']],
  body: Buffer.from('HTTP content length exceeded 10485760 bytes.'),
};

/** The template's response for this type or its status class, or else the platform's default. */
export const gatewayAnswer = (api: Api, request: GatewayRequest, error: GatewayError): HttpAnswer => {
  const fallback = error.statusCode < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const custom = api.responses.get(error.type) ?? api.responses.get(fallback);
  const body = custom?.template
    ? render(custom.template, request, error.message)
    : JSON.stringify({ message: error.message });
  return {
    statusCode: custom?.statusCode ?? error.statusCode,
    headers: [
      ...Object.entries({ 'Content-Type': 'application/json', ...custom?.headers }),
      ['x-amzn-ErrorType', errorName(error)],
      ...platformHeaders(request),
    ],
    body: Buffer.from(body),
  };
};

export const render = (template: string, request: GatewayRequest, message = '') =>
  template
    .replaceAll('$context.error.messageString', JSON.stringify(message))
    .replaceAll('$context.error.message', message)
    .replaceAll('$context.requestId', request.id);

export const platformHeaders = (request: GatewayRequest): [string, string][] => [
  ['x-amzn-RequestId', request.id],
  ['x-amz-apigw-id', request.extendedId],
];

/** The gateway renames these headers of a function, because it sets its own. */
const RESERVED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

const IS_HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const IS_HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const malformed = () => new GatewayError('DEFAULT_5XX', 502, 'Internal server error');

/**
 * Reads a function's response. All fields are optional, and an unknown field causes a 502. A status may be a string,
 * headers may be null, and a header may be true (recorded on the platform by LocalStack). An API without binary media
 * types never decodes Base64.
 */
export const proxyAnswer = (request: GatewayRequest, json: string): HttpAnswer => {
  const answer: unknown = JSON.parse(json);
  if (!isRecord(answer)) throw malformed();
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded, ...unknown } = answer;
  const text = body ?? '';
  if (Object.keys(unknown).length > 0) throw malformed();
  if (typeof (isBase64Encoded ?? false) !== 'boolean') throw malformed();
  if (typeof text !== 'string') throw malformed();
  return {
    statusCode: statusOf(statusCode ?? 200),
    headers: [
      ...functionHeaders(headers ?? {}, multiValueHeaders ?? {}),
      ['X-Amzn-Trace-Id', completeTrace(traceOf(request))],
      ...platformHeaders(request),
    ],
    body: Buffer.from(text),
  };
};

const completeTrace = (trace: string) => {
  const parent = trace.includes(';Parent=') ? '' : `;Parent=${randomBytes(8).toString('hex')}`;
  return `${trace}${parent}${trace.includes(';Sampled=') ? '' : ';Sampled=0'}`;
};

const statusOf = (statusCode: unknown) => {
  const status = typeof statusCode === 'string' ? Number.parseInt(statusCode, 10) : statusCode;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw malformed();
  return status;
};

const functionHeaders = (single: unknown, multi: unknown): [string, string][] => {
  if (!isRecord(single) || !isRecord(multi)) throw malformed();
  // If a name is in both, the values of multiValueHeaders come first.
  const all = [...Object.entries(multi).flatMap(headerPairs), ...Object.entries(single)]
    .map(([name, value]): [string, string] => [renameReserved(name), headerValue(value)])
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  const hasContentType = all.some(([name]) => name.toLowerCase() === 'content-type');
  return hasContentType ? all : [['Content-Type', 'application/json'], ...all];
};

const headerPairs = ([name, values]: [string, unknown]) => {
  if (!Array.isArray(values)) throw malformed();
  return values.map((value): [string, unknown] => [name, value]);
};

const renameReserved = (name: string) => {
  if (!IS_HEADER_NAME.test(name)) throw malformed();
  return RESERVED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
};

/** Refuses a number, because it is unknown what the platform does with a number. */
const headerValue = (value: unknown) => {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || !IS_HEADER_VALUE.test(value)) throw malformed();
  return value;
};
