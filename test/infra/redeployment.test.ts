import { Template } from 'aws-cdk-lib/assertions';
import { MockIntegration, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';
import { stackOf } from './template.ts';

/** CloudFormation deploys a changed API only if the deployment has a new logical id. */
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

describe('the API', () => {
  it('is not deployed again without a change, or for settings of throttle, logs, clients and snapshots', () => {
    const settings = {
      throttle: { ratePerSecond: 5, burst: 6 },
      logRetentionDays: 7,
      clients: ['warehouse', { name: 'wms.1', limits: { rate: 5 } }],
      clientLimits: { rate: 20 },
      credentialOverlapHours: 1,
      snapshotRetentionDays: 30,
    };
    expect([deploymentIdOf(), deploymentIdOf(settings)]).toEqual([unchanged, unchanged]);
  });

  const addMethod = (path: string) => (api: RestApi) => {
    api.root.resourceForPath(path).addMethod('GET');
  };
  const addAnswer = (answer: string) => (api: RestApi) => {
    api.root.addMethod('PUT', new MockIntegration({ requestTemplates: { 'application/json': answer } }));
  };
  const addResponse = (statusCode: string) => (api: RestApi) => {
    api.addGatewayResponse('Changed', { type: ResponseType.THROTTLED, statusCode });
  };

  it.each([
    [
      'the resource policy',
      ['203.0.113.0/24', '198.51.100.0/24'].map((cidr) => deploymentIdOf({ allowedCidrs: [cidr] })),
    ],
    [
      'a method',
      ['{"statusCode": 200}', '{"statusCode": 204}'].map((answer) => deploymentIdOf({}, addAnswer(answer))),
    ],
    ['a resource', ['/a', '/b'].map((path) => deploymentIdOf({}, addMethod(path)))],
    ['a gateway response', ['429', '503'].map((status) => deploymentIdOf({}, addResponse(status)))],
  ])('is deployed again if %s is added or changes', (_, changed) => {
    expect(new Set([unchanged, ...changed]).size).toBe(3);
  });
});

describe('the resource policy', () => {
  const policyOf = (allowedCidrs: string[]) => {
    type Api = { Policy?: { Statement: unknown[] } };
    return deploymentOf({ allowedCidrs }).only<Api>('AWS::ApiGateway::RestApi').properties.Policy;
  };

  it('is absent if all addresses are allowed', () => {
    expect(policyOf([])).toBeUndefined();
  });

  it('allows everyone and denies addresses outside the ranges', () => {
    const ranges = ['203.0.113.0/24', '2001:db8::/32'];
    const everything = { Action: 'execute-api:Invoke', Principal: { AWS: '*' }, Resource: 'execute-api:/*' };
    expect(policyOf(ranges)?.Statement).toEqual([
      { Effect: 'Allow', ...everything },
      { Effect: 'Deny', ...everything, Condition: { NotIpAddress: { 'aws:SourceIp': ranges } } },
    ]);
  });

  it('stays within the limit of API Gateway with a hundred of the longest ranges', () => {
    const ranges = Array.from(
      { length: 100 },
      (_, index) => `2001:0db8:1111:2222:3333:4444:5555:${String(1000 + index)}/128`,
    );
    expect(JSON.stringify(policyOf(ranges)).length).toBeLessThan(8_192);
  });
});
