import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { sample } from '../deployment.ts';

type GatewayResponse = {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
};

/** All types of API Gateway. A status for a DEFAULT type would replace many statuses. */
const promised: Record<string, string | undefined> = {
  ACCESS_DENIED: '401',
  API_CONFIGURATION_ERROR: '500',
  AUTHORIZER_CONFIGURATION_ERROR: '503',
  AUTHORIZER_FAILURE: '503',
  BAD_REQUEST_BODY: '400',
  BAD_REQUEST_PARAMETERS: '404',
  DEFAULT_4XX: undefined,
  DEFAULT_5XX: undefined,
  EXPIRED_TOKEN: '401',
  INTEGRATION_FAILURE: '500',
  INTEGRATION_TIMEOUT: '504',
  INVALID_API_KEY: '503',
  INVALID_SIGNATURE: '404',
  MISSING_AUTHENTICATION_TOKEN: '401',
  QUOTA_EXCEEDED: '429',
  REQUEST_TOO_LARGE: '413',
  RESOURCE_NOT_FOUND: '404',
  THROTTLED: '429',
  UNAUTHORIZED: '401',
  UNSUPPORTED_MEDIA_TYPE: '415',
  WAF_FILTERED: '403',
};

const responses = sample('default')
  .resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse')
  .map(({ properties }) => properties);
const responseOf = (type: string) => onlyMatch(responses, ({ ResponseType }) => ResponseType === type);
const typesOf = (isWanted: (response: GatewayResponse) => boolean) =>
  responses
    .filter(isWanted)
    .map(({ ResponseType }) => ResponseType)
    .toSorted();
const header = (name: string) => `gatewayresponse.header.${name}`;

describe('the gateway responses', () => {
  it('have one response for every type of error', () => {
    expect(typesOf(() => true)).toEqual(Object.keys(promised));
  });

  it.each(Object.entries(promised))(
    'for %s have their status, and a problem whose only variable is the request id',
    (type, status) => {
      const response = responseOf(type);
      expect(response.StatusCode).toBe(status);
      expect(response.ResponseParameters[header('Content-Type')]).toBe("'application/problem+json'");
      const { 'application/json': template = '', ...others } = response.ResponseTemplates;
      expect(others).toEqual({});
      expect(JSON.parse(template)).toEqual({
        type: 'about:blank',
        ...(status ? { title: expect.any(String), status: Number(status) } : {}),
        detail: expect.stringMatching(/^[A-Z].+\.$/),
        requestId: '$context.requestId',
      });
      expect(template.match(/\$[\w.]+/g)).toEqual(['$context.requestId']);
    },
  );

  it.each([
    ['WWW-Authenticate', ['401'], /^'Basic realm="warehouse-control", charset="UTF-8"'$/],
    ['Retry-After', ['429', '503'], /^'[1-9][0-9]*'$/],
  ])('have the header %s for each status of %j and for no other status', (name, statuses, value) => {
    const has = ({ ResponseParameters }: GatewayResponse) => header(name) in ResponseParameters;
    expect(typesOf(has)).toEqual(typesOf(({ StatusCode = '' }) => statuses.includes(StatusCode)));
    for (const { ResponseParameters } of responses.filter(has)) {
      expect(ResponseParameters[header(name)]).toMatch(value);
    }
  });

  it('say that a retry is always safe for every 5xx and for no other status', () => {
    const isServerError = ({ ResponseType, StatusCode = '' }: GatewayResponse) =>
      ResponseType === 'DEFAULT_5XX' || StatusCode.startsWith('5');
    const saysSafe = ({ ResponseTemplates }: GatewayResponse) =>
      JSON.stringify(ResponseTemplates).includes('always safe');
    expect(typesOf(saysSafe)).toEqual(typesOf(isServerError));
  });

  it('are the same for missing, malformed, wrong and denied credentials', () => {
    const refusals = responses.filter(({ StatusCode }) => StatusCode === '401');
    const contents = refusals.map(({ ResponseType: _, ...content }) => JSON.stringify(content));
    expect(new Set(contents).size).toBe(1);
  });
});
