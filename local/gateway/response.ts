import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { PROBLEM_CONTENT_TYPE, problem } from '../../shared/http/problem.ts';
import type { Outcome } from '../lambda/function-instance.ts';
import type { Api } from './api.ts';
import { type ErrorType, errorTypes, GatewayError } from './errors.ts';
import { type GatewayRequest, type Header, headerOf } from './request.ts';
import type { MockIntegration } from './template-schemas.ts';

export type WireResponse = { statusCode: number; headers: Header[]; body: Buffer };

/** The platform refuses more than 10 MB before it finds the API. So the response uses no template and has no request id. */
export const OVER_PAYLOAD_LIMIT: WireResponse = {
  statusCode: 413,
  headers: [['Content-Type', 'text; charset=utf-8']],
  body: Buffer.from('HTTP content length exceeded 10485760 bytes.'),
};

/** Node's own response would have no body. */
export const missingHost = ({ extendedId }: GatewayRequest): WireResponse => ({
  statusCode: 400,
  headers: [
    ['Content-Type', PROBLEM_CONTENT_TYPE],
    ['Connection', 'close'],
  ],
  body: Buffer.from(JSON.stringify(problem(undefined, 'HTTP/1.1 requires the header Host.', extendedId))),
});

const platformHeaders = (request: GatewayRequest): Header[] => [
  ['x-amzn-RequestId', request.id],
  ['x-amz-apigw-id', request.extendedId],
];

/** The platform's response to a path outside the API stage. This response does not depend on the template. */
export const noSuchApiStage = (request: GatewayRequest): WireResponse => ({
  statusCode: 403,
  headers: [
    ['Content-Type', 'application/json'],
    ['x-amzn-ErrorType', 'ForbiddenException'],
    ...platformHeaders(request),
  ],
  body: Buffer.from('{"message":"Forbidden"}'),
});

const render = (templates: { 'application/json': string }, { extendedId }: GatewayRequest) =>
  Buffer.from(templates['application/json'].replaceAll('$context.extendedRequestId', extendedId));

export const errorResponse = (api: Api, request: GatewayRequest, type: ErrorType): WireResponse => {
  const { status, name } = errorTypes[type];
  const { StatusCode = status, ResponseParameters, ResponseTemplates } = api.responses[type];
  return {
    statusCode: StatusCode,
    headers: [...Object.entries(ResponseParameters), ['x-amzn-ErrorType', name], ...platformHeaders(request)],
    body: render(ResponseTemplates, request),
  };
};

export const mockResponse = (
  { IntegrationResponses: [response] }: MockIntegration,
  request: GatewayRequest,
): WireResponse => ({
  statusCode: response.StatusCode,
  headers: [...Object.entries(response.ResponseParameters), ...platformHeaders(request)],
  body: render(response.ResponseTemplates, request),
});

const headerName = v.pipe(v.string(), v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/));
/** A number is refused, because it is unknown what the platform does with a number. */
const headerValue = v.union([
  v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/)),
  v.pipe(v.boolean(), v.transform(String)),
]);
const status = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.transform(Number))]),
  v.integer(),
  v.minValue(200),
  v.maxValue(599),
);

/**
 * All fields are optional, and an unknown field causes a 502. A status may be a string, headers may be null, and a
 * header may be true (recorded on AWS by LocalStack). An API without binary media types never decodes Base64.
 */
const functionResponse = v.strictObject({
  statusCode: v.nullish(status, 200),
  headers: v.nullish(v.record(headerName, headerValue), {}),
  multiValueHeaders: v.nullish(v.record(headerName, v.array(headerValue)), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean()),
});

type FunctionResponse = v.InferOutput<typeof functionResponse>;

/** The response of a function. Without an outcome, the function was too slow. */
export const proxyResponse = (request: GatewayRequest, outcome: Outcome | undefined): WireResponse => {
  if (!outcome) throw new GatewayError('INTEGRATION_TIMEOUT');
  if ('error' in outcome) throw new GatewayError(outcome.isThrottled ? 'INTEGRATION_FAILURE' : 'DEFAULT_5XX');
  const response: unknown = JSON.parse(outcome.response);
  const { success, output } = v.safeParse(functionResponse, response);
  if (!success || Array.isArray(response)) throw new GatewayError('DEFAULT_5XX');
  return {
    statusCode: output.statusCode,
    headers: [...functionHeaders(output), ['X-Amzn-Trace-Id', traceOf(request)], ...platformHeaders(request)],
    body: Buffer.from(output.body),
  };
};

/** The trace that the request names, or a new trace. Adds Parent and Sampled if they are missing. */
const traceOf = (request: GatewayRequest) => {
  const sentTrace = headerOf(request, 'x-amzn-trace-id') ?? '';
  const id = randomUUID().replaceAll('-', '');
  const trace = /(^|;)Root=/.test(sentTrace) ? sentTrace : `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
  const parent = trace.includes(';Parent=') ? '' : `;Parent=${randomBytes(8).toString('hex')}`;
  return `${trace}${parent}${trace.includes(';Sampled=') ? '' : ';Sampled=0'}`;
};

/** If a name is in both fields, the values of multiValueHeaders come first. */
const functionHeaders = ({ headers, multiValueHeaders }: FunctionResponse): Header[] => {
  const multi = Object.entries(multiValueHeaders).flatMap(([name, values]) =>
    values.map((value): Header => [name, value]),
  );
  const allHeaders = [...multi, ...Object.entries(headers)]
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    .map(([name, value]): Header => [renameReserved(name), value]);
  const hasContentType = allHeaders.some(([name]) => name.toLowerCase() === 'content-type');
  return hasContentType ? allHeaders : [['Content-Type', 'application/json'], ...allHeaders];
};

/** The gateway sets its own values of these headers, and renames these headers of a function. */
const RESERVED_HEADERS = new Set(
  [
    'authorization connection content-length content-md5 date expect host max-forwards',
    'proxy-authenticate server trailer upgrade user-agent www-authenticate',
  ].flatMap((names) => names.split(' ')),
);
const renameReserved = (name: string) =>
  RESERVED_HEADERS.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
