import { describe, expect, it } from 'vitest';
import { throttledBy } from '../../../infra/api/gateway-responses.ts';
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

  it.each<[string, rates: [ofRequests: number, ofBatches: number][], seconds: string, words: string]>([
    ['the rate', [[1, 10]], '1', 'in one second.'],
    ['a broken number of seconds', [[0.3, 0.3]], '4', 'in 4 seconds.'],
    ['the rate of batches, where it is lower', [[10, 0.5]], '2', 'in 2 seconds.'],
    [
      'the slowest plan',
      [
        [10, 1],
        [0.1, 1],
        [1, 1],
      ],
      '10',
      'in 10 seconds.',
    ],
    ['at most a minute', [[0.01, 1]], '60', 'in 60 seconds.'],
  ])('for THROTTLED say to wait for %s', (_, rates, seconds, words) => {
    const plans = rates.map(([rate, ofBatches]) => ({ rate, batches: { rate: ofBatches, burst: 1 } }));
    const detail = expect.stringContaining(words);
    expect(throttledBy(plans)).toEqual({ status: 429, detail, headers: { 'Retry-After': seconds } });
  });

  it.each([
    ['default', 'the plan slow', 10],
    ['everything', 'another plan than the first', 2],
  ] as const)('for THROTTLED use the plans of the settings %s: %s', (settings, _, seconds) => {
    const own = responseFor('THROTTLED', responsesOf(sample(settings)));
    expect(own.ResponseParameters[header('Retry-After')]).toBe(`'${seconds}'`);
    expect(own.ResponseTemplates['application/json']).toContain(`in ${seconds} seconds.`);
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
