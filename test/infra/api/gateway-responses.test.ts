import { describe, expect, it } from 'vitest';
import { throttledAt } from '../../../infra/api/gateway-responses.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, sample } from '../deployment.ts';

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

const responsesOf = ({ resources }: Deployment) =>
  resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse').map(({ properties }) => properties);
const responses = responsesOf(sample('default'));
const responseFor = (type: string, among = responses) =>
  onlyMatch(among, ({ ResponseType }) => ResponseType === type);
const header = (name: string) => `gatewayresponse.header.${name}`;
const CHALLENGE = `'Basic realm="warehouse-control", charset="UTF-8"'`;

describe('the gateway responses', () => {
  it('have one response for every type of error', () => {
    expect(responses.map(({ ResponseType }) => ResponseType).toSorted()).toEqual(Object.keys(promised));
  });

  it.each(Object.entries(promised))(
    'for %s are problems with the status %s, whose only variable is the request id',
    (type, status = '') => {
      const response = responseFor(type);
      expect(response.StatusCode ?? '').toBe(status);
      const seconds = expect.stringMatching(/^'[1-9][0-9]*'$/);
      expect(response.ResponseParameters).toEqual({
        [header('Content-Type')]: "'application/problem+json'",
        ...(status === '401' ? { [header('WWW-Authenticate')]: CHALLENGE } : {}),
        ...(['429', '503'].includes(status) ? { [header('Retry-After')]: seconds } : {}),
      });
      const { 'application/json': template = '', ...others } = response.ResponseTemplates;
      expect(others).toEqual({});
      expect(JSON.parse(template)).toEqual({
        type: 'about:blank',
        ...(status ? { title: expect.any(String), status: Number(status) } : {}),
        detail: expect.stringMatching(/^[A-Z].+\.$/),
        requestId: '$context.extendedRequestId',
      });
      expect(template.match(/\$[\w.]+/g)).toEqual(['$context.extendedRequestId']);
      const isServerError = type === 'DEFAULT_5XX' || status.startsWith('5');
      expect(template.includes('a retry is always safe')).toBe(isServerError);
    },
  );

  it.each([
    [10, '1', 'in one second.'],
    [1, '1', 'in one second.'],
    [0.3, '4', 'in 4 seconds.'],
    [0.1, '10', 'in 10 seconds.'],
  ])('for THROTTLED say to wait as the rate %f needs: %s', (rate, seconds, words) => {
    const detail = expect.stringContaining(words);
    expect(throttledAt(rate)).toEqual({ status: 429, detail, headers: { 'Retry-After': seconds } });
  });

  it('for THROTTLED use the first plan of the settings', () => {
    const { ResponseParameters, ResponseTemplates } = responseFor(
      'THROTTLED',
      responsesOf(sample('largest')),
    );
    expect(ResponseParameters[header('Retry-After')]).toBe("'3'");
    expect(ResponseTemplates['application/json']).toContain('in 3 seconds.');
  });

  it('for QUOTA_EXCEEDED have the Retry-After of an hour, and name the end of the quota', () => {
    const { ResponseParameters, ResponseTemplates } = responseFor('QUOTA_EXCEEDED');
    expect(ResponseParameters[header('Retry-After')]).toBe("'3600'");
    expect(ResponseTemplates['application/json']).toContain('until midnight UTC');
  });

  it('are the same for missing, malformed, wrong and denied credentials', () => {
    const refusals = responses.filter(({ StatusCode }) => StatusCode === '401');
    expect(new Set(refusals.map(({ ResponseTemplates }) => JSON.stringify(ResponseTemplates))).size).toBe(1);
  });
});
