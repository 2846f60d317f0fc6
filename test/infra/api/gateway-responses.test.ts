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

const responsesOf = ({ resources }: Deployment) =>
  resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse').map(({ properties }) => properties);
const responses = responsesOf(sample('default'));
const header = (name: string) => `gatewayresponse.header.${name}`;
const CHALLENGE = `'Basic realm="warehouse-control", charset="UTF-8"'`;

// test/golden/service/gateway-responses.txt has every type of API Gateway with its status, headers and words.
describe('the gateway responses', () => {
  it('are problems whose only variable is the request id, with the challenge or the seconds to wait', () => {
    for (const { ResponseType, StatusCode: status = '', ...response } of responses) {
      const seconds = expect.stringMatching(/^'[1-9][0-9]*'$/);
      expect(response.ResponseParameters, ResponseType).toEqual({
        [header('Content-Type')]: "'application/problem+json'",
        ...(status === '401' ? { [header('WWW-Authenticate')]: CHALLENGE } : {}),
        ...(['429', '503'].includes(status) ? { [header('Retry-After')]: seconds } : {}),
      });
      const { 'application/json': template = '' } = response.ResponseTemplates;
      expect(JSON.parse(template), ResponseType).toEqual({
        type: 'about:blank',
        // A DEFAULT type has none, because a status would replace many.
        ...(status ? { title: expect.any(String), status: Number(status) } : {}),
        detail: expect.stringMatching(/^[A-Z].+\.$/),
        requestId: '$context.extendedRequestId',
      });
      expect(template.match(/\$[\w.]+/g)).toEqual(['$context.extendedRequestId']);
      const isServerError = ResponseType === 'DEFAULT_5XX' || status.startsWith('5');
      expect(template.includes('a retry is always safe'), ResponseType).toBe(isServerError);
    }
  });

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

  it('for THROTTLED use the slowest plan of the settings, which need not be the first', () => {
    const own = onlyMatch(
      responsesOf(sample('everything')),
      ({ ResponseType }) => ResponseType === 'THROTTLED',
    );
    expect(own.ResponseParameters[header('Retry-After')]).toBe("'2'");
    expect(own.ResponseTemplates['application/json']).toContain('in 2 seconds.');
  });
});
