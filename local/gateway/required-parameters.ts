import { GatewayError } from './answer.ts';
import type { Method, RequiredParameter } from './api.ts';
import { type GatewayRequest, headerOf, pathParametersOf } from './request.ts';

/** Names all missing parameters at once, as recorded on the platform. */
export const checkRequiredParameters = (request: GatewayRequest, { requiredParameters }: Method) => {
  const missing = requiredParameters.filter((parameter) => !hasParameter(request, parameter));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new GatewayError('BAD_REQUEST_PARAMETERS', 400, `Missing required request parameters: [${names}]`);
};

const hasParameter = (request: GatewayRequest, { location, name }: RequiredParameter) => {
  if (location === 'header') return headerOf(request, name) !== undefined;
  if (location === 'querystring') return request.query.has(name);
  return name in pathParametersOf(request);
};
