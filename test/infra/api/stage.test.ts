import { MockIntegration, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, deployed, deploymentOf, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { appOf } from '../template.ts';
import { functionNames } from './gateway.ts';

type Stage = {
  StageName: string;
  MethodSettings: Record<string, unknown>[];
  AccessLogSetting: { DestinationArn: string; Format: string };
};
type LogGroup = { LogGroupName?: string; RetentionInDays: number };

const stageOf = (deployment: Deployment) => deployment.only<Stage>('AWS::ApiGateway::Stage');
const logGroupsOf = ({ resources }: Deployment) => resources<LogGroup>('AWS::Logs::LogGroup');
const deployment = sample('default');
const everything = sample('everything');
const stage = stageOf(deployment);

describe('the stage', () => {
  it.each([
    ['at 1,000 a second and 2,000 at once', deployment, 1_000, 2_000],
    ['as set', everything, 7, 9],
  ])('throttles all methods %s, and logs errors without request data', (_, own, rate, burst) => {
    expect(stageOf(own).properties.MethodSettings).toEqual([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
        LoggingLevel: 'ERROR',
        DataTraceEnabled: false,
      },
    ]);
  });

  it('is created after the role with which the gateway writes logs, and the role is kept', () => {
    const account = everything.only<{ CloudWatchRoleArn: string }>('AWS::ApiGateway::Account');
    const roles = everything.resources<Record<string, unknown>>('AWS::IAM::Role');
    const role = onlyMatch(roles, ({ arn }) => arn === account.properties.CloudWatchRoleArn);
    expect(role.properties).toMatchObject({
      AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'apigateway.amazonaws.com' } }] },
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
    });
    expect(stageOf(everything).dependsOn).toContain(account.id);
    // Other APIs of the account write their logs with it.
    expect(account.deletionPolicy).toBe('Retain');
  });
});

/** CloudFormation deploys a changed API only if its deployment has a new logical id. */
describe('the API', () => {
  const idIn = ({ only }: Deployment) => only('AWS::ApiGateway::Deployment').id;

  it('is not deployed again for settings of throttle, logs, clients and snapshots', () => {
    const { throttle, clients, clientLimits, logRetentionDays, snapshotRetentionDays } =
      sampleSettings.everything;
    const settings = { throttle, clients, clientLimits, logRetentionDays, snapshotRetentionDays };
    expect(idIn(deploymentOf({ ...settings, credentialOverlapHours: 1 }))).toBe(idIn(deployment));
  });

  it.each<[string, object, (api: RestApi) => void]>([
    ['the addresses that may call', { allowedCidrs: ['203.0.113.0/24'] }, () => {}],
    ['a gateway response', {}, (api) => api.addGatewayResponse('New', { type: ResponseType.of('NEW') })],
    ['a route', {}, ({ root }) => root.addMethod('PUT', new MockIntegration())],
  ])('is deployed again if %s changes', (_, settings, change) => {
    const { stack, synthesize } = appOf(settings);
    const apis = stack.node.findAll().filter((construct) => construct instanceof RestApi);
    for (const api of apis) change(api);
    expect(idIn(deployed(synthesize()))).not.toBe(idIn(deployment));
  });
});

describe('the resource policy', () => {
  type Api = { Policy?: { Statement: unknown[] } };
  const policyOf = ({ only }: Deployment) => only<Api>('AWS::ApiGateway::RestApi').properties.Policy;

  it('denies addresses outside the ranges, and is absent if all addresses are allowed', () => {
    expect(policyOf(deployment)).toBeUndefined();
    const common = { Action: 'execute-api:Invoke', Principal: { AWS: '*' }, Resource: 'execute-api:/*' };
    const { allowedCidrs } = sampleSettings.everything;
    expect(policyOf(everything)?.Statement).toEqual([
      { Effect: 'Allow', ...common },
      { Effect: 'Deny', ...common, Condition: { NotIpAddress: { 'aws:SourceIp': allowedCidrs } } },
    ]);
  });

  it('stays within the limit of API Gateway with a hundred of the longest ranges', () => {
    expect(JSON.stringify(policyOf(sample('largest'))).length).toBeLessThan(8_192);
  });
});

describe('the firewall', () => {
  type Acl = {
    Scope: string;
    DefaultAction: unknown;
    Rules: { Action: unknown; Statement: unknown; VisibilityConfig: object }[];
    VisibilityConfig: object;
  };
  const acl = everything.only<Acl>('AWS::WAFv2::WebACL');

  it('blocks addresses that send more requests than set, and is absent without the setting', () => {
    expect(deployment.resources('AWS::WAFv2::WebACL')).toEqual([]);
    expect(acl.properties).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    expect(acl.properties.Rules.map(({ Action, Statement }) => ({ Action, Statement }))).toEqual([
      {
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 3_000 },
        },
      },
    ]);
    const api = everything.only('AWS::ApiGateway::RestApi').ref;
    expect(everything.only('AWS::WAFv2::WebACLAssociation').properties).toEqual({
      ResourceArn: `arn:aws:apigateway:eu-central-1::/restapis/${api}/stages/${stageOf(everything).ref}`,
      WebACLArn: acl.arn,
    });
  });

  it('stores no samples of requests, because their headers have credentials, and names its metric after the stack', () => {
    const { Rules, VisibilityConfig } = acl.properties;
    expect(VisibilityConfig).toMatchObject({ MetricName: sampleSettings.everything.stackName });
    for (const config of [VisibilityConfig, ...Rules.map((rule) => rule.VisibilityConfig)]) {
      expect(config).toMatchObject({ SampledRequestsEnabled: false });
    }
  });
});

describe('the access log', () => {
  const { DestinationArn, Format } = stage.properties.AccessLogSetting;

  it('has one line of JSON with the user agent, but no other header, body, query or error text', () => {
    onlyMatch(logGroupsOf(deployment), ({ ref }) => DestinationArn.endsWith(`:log-group:${ref}`));
    expect(Format).not.toContain('\n');
    const sources = Object.values<string>(JSON.parse(Format)).join(' ').split(' ');
    expect(sources).toContain('$context.identity.userAgent');
    expect(sources.filter((source) => !/^\$context\.[\w.]+$/.test(source))).toEqual([]);
    expect(sources.filter((source) => /header|body|query|path$|error\.message|apiKey/i.test(source))).toEqual(
      [
        // The path of the route, as the template has it.
        '$context.resourcePath',
      ],
    );
  });
});

describe('the logs', () => {
  it('are one for each function, the access log, and the execution log, which the gateway would never delete', () => {
    expect(logGroupsOf(deployment)).toHaveLength(functionNames.length + 2);
    const api = deployment.only('AWS::ApiGateway::RestApi');
    const name = `API-Gateway-Execution-Logs_${api.ref}/${stage.properties.StageName}`;
    const executionLog = onlyMatch(
      logGroupsOf(deployment),
      ({ properties }) => properties.LogGroupName === name,
    );
    expect(stage.dependsOn).toContain(executionLog.id);
  });

  it.each([
    ['for 90 days, also after the stack is deleted', deployment, 90, 'RetainExceptOnCreate', 'Retain'],
    ['as long as set, or until the ephemeral stack is deleted', everything, 7, 'Delete', 'Delete'],
  ])('are kept %s', (_, own, RetentionInDays, deletionPolicy, updateReplacePolicy) => {
    for (const group of logGroupsOf(own)) {
      const expected = { properties: { RetentionInDays }, deletionPolicy, updateReplacePolicy };
      expect(group, group.id).toMatchObject(expected);
    }
  });
});
