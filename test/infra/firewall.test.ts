import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';

type Acl = {
  Scope: string;
  DefaultAction: unknown;
  Rules: { Action: unknown; Statement: unknown; VisibilityConfig: { SampledRequestsEnabled: boolean } }[];
  VisibilityConfig: { MetricName: string; SampledRequestsEnabled: boolean };
};

describe('the firewall', () => {
  const deployment = deploymentOf({ firewall: { requestsPerFiveMinutes: 3_000 } });
  const acl = deployment.only<Acl>('AWS::WAFv2::WebACL');

  it('is absent without the setting', () => {
    expect(deploymentOf().resources('AWS::WAFv2::WebACL')).toEqual([]);
  });

  it('blocks addresses that send more requests than set, and reads no body', () => {
    expect(acl.properties).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    expect(acl.properties.Rules.map(({ Action, Statement }) => ({ Action, Statement }))).toEqual([
      {
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 3_000 },
        },
      },
    ]);
  });

  it('stores no samples of requests, because their headers have credentials', () => {
    const { Rules, VisibilityConfig } = acl.properties;
    for (const config of [VisibilityConfig, ...Rules.map((rule) => rule.VisibilityConfig)]) {
      expect(config.SampledRequestsEnabled).toBe(false);
    }
  });

  it('names its metric after the stack, so that each stage has its own', () => {
    const metricOf = (stackName: string) =>
      deploymentOf({ stackName, firewall: { requestsPerFiveMinutes: 3_000 } }).only<Acl>('AWS::WAFv2::WebACL')
        .properties.VisibilityConfig.MetricName;
    expect([metricOf('Warehouse'), metricOf('Warehouse-test')]).toEqual(['Warehouse', 'Warehouse-test']);
  });

  it('is associated with the stage', () => {
    const { ref } = deployment.only('AWS::ApiGateway::RestApi');
    const stage = deployment.only('AWS::ApiGateway::Stage').ref;
    expect(deployment.only('AWS::WAFv2::WebACLAssociation').properties).toEqual({
      ResourceArn: `arn:aws:apigateway:ap-southeast-2::/restapis/${ref}/stages/${stage}`,
      WebACLArn: acl.arn,
    });
  });
});
