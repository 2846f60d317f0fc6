import { Template } from 'aws-cdk-lib/assertions';
import { MockIntegration, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';
import { stackOf } from './template.ts';

/**
 * What the gateway serves is what it was at the last deployment of the API. A deployment is made when its logical id
 * is a new one, and only then.
 */
const deploymentIdOf = (settings: unknown = {}, change: (api: RestApi) => void = () => {}) => {
  const stack = stackOf(settings);
  const api = stack.node.findAll().find((construct) => construct instanceof RestApi);
  if (!api) throw new Error('The stack has no API.');
  change(api);
  const ids = Object.keys(Template.fromStack(stack).findResources('AWS::ApiGateway::Deployment'));
  expect(ids).toHaveLength(1);
  return ids[0];
};

const unchanged = deploymentIdOf();

describe('the API is deployed again', () => {
  it('not when nothing has changed', () => {
    expect(deploymentIdOf()).toBe(unchanged);
  });

  it.each([
    ['the throttle', { throttle: { ratePerSecond: 5, burst: 6 } }],
    ['the retention of logs', { logRetentionDays: 7 }],
    ['a client', { clients: ['warehouse', 'wms.1'] }],
    ['the overlap of credentials', { credentialOverlapHours: 1 }],
    ['the retention of snapshots', { snapshotRetentionDays: 30 }],
  ])('not for a change of %s, which it does not need', (_, settings) => {
    expect(deploymentIdOf(settings)).toBe(unchanged);
  });

  it('when the resource policy changes', () => {
    const allowed = ['203.0.113.0/24', '198.51.100.0/24'].map((range) =>
      deploymentIdOf({ allowedCidrs: [range] }),
    );
    expect(new Set([unchanged, ...allowed]).size).toBe(3);
  });

  it('when a method changes', () => {
    const answering = (answer: string) => (api: RestApi) => {
      const integration = new MockIntegration({ requestTemplates: { 'application/json': answer } });
      api.root.addMethod('PUT', integration);
    };
    const changed = ['{"statusCode": 200}', '{"statusCode": 204}'].map((answer) =>
      deploymentIdOf({}, answering(answer)),
    );
    expect(new Set([unchanged, ...changed]).size).toBe(3);
  });

  it('when a resource is added', () => {
    const withMethod = (path: string) => (api: RestApi) => {
      api.root.resourceForPath(path).addMethod('GET');
    };
    expect(deploymentIdOf({}, withMethod('/a'))).not.toBe(deploymentIdOf({}, withMethod('/b')));
  });

  it('when an answer of the gateway changes', () => {
    const answering = (statusCode: string) => (api: RestApi) => {
      api.addGatewayResponse('Changed', { type: ResponseType.THROTTLED, statusCode });
    };
    const changed = ['429', '503'].map((status) => deploymentIdOf({}, answering(status)));
    expect(new Set([unchanged, ...changed]).size).toBe(3);
  });
});

describe('the resource policy', () => {
  const policyOf = (allowedCidrs: string[]) => {
    type Api = { Policy?: { Statement: unknown[] } };
    return deploymentOf({ allowedCidrs }).only<Api>('AWS::ApiGateway::RestApi').properties.Policy;
  };

  it('is absent where all addresses are allowed', () => {
    expect(policyOf([])).toBeUndefined();
  });

  it('allows everyone, and denies whoever is outside of the ranges', () => {
    const ranges = ['203.0.113.0/24', '2001:db8::/32'];
    const everything = { Action: 'execute-api:Invoke', Principal: { AWS: '*' }, Resource: 'execute-api:/*' };
    expect(policyOf(ranges)?.Statement).toEqual([
      { Effect: 'Allow', ...everything },
      { Effect: 'Deny', ...everything, Condition: { NotIpAddress: { 'aws:SourceIp': ranges } } },
    ]);
  });

  it('fits a hundred of the longest ranges', () => {
    const ranges = Array.from(
      { length: 100 },
      (_, index) => `2001:0db8:1111:2222:3333:4444:5555:${String(1000 + index)}/128`,
    );
    // What API Gateway takes.
    expect(JSON.stringify(policyOf(ranges)).length).toBeLessThan(8_192);
  });
});
