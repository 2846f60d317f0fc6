import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, deploymentOf, functionNames, mixedSettings, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';

type Stage = {
  StageName: string;
  TracingEnabled: boolean;
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
  ])('throttles all methods %s, and writes no execution log', (_, own, rate, burst) => {
    expect(stageOf(own).properties.MethodSettings).toEqual([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
      },
    ]);
  });

  it.each([
    ['no traces', deployment, false],
    ['traces with the setting', everything, true],
  ])('writes %s', (_, own, isTraced) => {
    expect(stageOf(own).properties.TracingEnabled).toBe(isTraced);
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

  it('is deployed again if the API or its slowest plan changes, but not for settings of throttle, other plans, logs, snapshots and backups', () => {
    /** CloudFormation deploys a changed API only if its deployment has a new logical id. */
    const idWith = (settings: object) => deploymentOf(settings).only('AWS::ApiGateway::Deployment').id;
    expect(idWith(mixedSettings.likeDefault)).toBe(idWith({}));
    expect(idWith(mixedSettings.otherAddresses)).not.toBe(idWith({}));
    // The rate of the slowest plan is in the response to a throttled request.
    expect(idWith(mixedSettings.slower)).not.toBe(idWith({}));
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

it('the firewall blocks addresses that send more requests than set, stores no samples, and is absent without the setting', () => {
  expect(deployment.resources('AWS::WAFv2::WebACL')).toEqual([]);
  const acl = everything.only<{ Rules: unknown[] }>('AWS::WAFv2::WebACL');
  const rate = { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 3_000 };
  // A sample has the headers of a request, with its credentials.
  const VisibilityConfig = { SampledRequestsEnabled: false };
  expect(acl.properties).toMatchObject({
    Scope: 'REGIONAL',
    DefaultAction: { Allow: {} },
    Rules: [{ Action: { Block: {} }, Statement: { RateBasedStatement: rate }, VisibilityConfig }],
    VisibilityConfig: { ...VisibilityConfig, MetricName: sampleSettings.everything.stackName },
  });
  const api = everything.only('AWS::ApiGateway::RestApi').ref;
  expect(everything.only('AWS::WAFv2::WebACLAssociation').properties).toEqual({
    ResourceArn: `arn:aws:apigateway:eu-central-1::/restapis/${api}/stages/${stageOf(everything).ref}`,
    WebACLArn: acl.arn,
  });
});

it('the firewall protects the stage only after the last slot exists, because AWS WAF refuses a stage that is still new', () => {
  const changes = ['UsagePlan', 'UsagePlanKey'].flatMap((type) =>
    everything.resources(`AWS::ApiGateway::${type}`),
  );
  // Each of them waits for the one before.
  const last = onlyMatch(changes, ({ id }) => changes.every(({ dependsOn }) => !dependsOn.includes(id)));
  expect(everything.only('AWS::WAFv2::WebACLAssociation').dependsOn).toEqual([last.id]);
});

it('the access log has one line of JSON, without a header, a body, a query, an error text or an id of the client', () => {
  const { DestinationArn, Format } = stage.properties.AccessLogSetting;
  onlyMatch(logGroupsOf(deployment), ({ ref }) => DestinationArn.endsWith(`:log-group:${ref}`));
  expect(Format).not.toContain('\n');
  const sources = Object.values<string>(JSON.parse(Format)).join(' ').split(' ');
  expect(sources).toContain('$context.extendedRequestId');
  expect(sources.filter((source) => !/^\$context\.[\w.]+$/.test(source))).toEqual([]);
  const ofClient = /header|body|query|path$|error\.message|apiKey|userAgent|xray|\.requestId/i;
  // The path of the route, as the template has it.
  expect(sources.filter((source) => ofClient.test(source))).toEqual(['$context.resourcePath']);
});

it('the logs are one for each function, and the access log', () => {
  expect(logGroupsOf(deployment)).toHaveLength(functionNames.length + 1);
});

it.each([
  ['for 90 days', deployment, 90],
  ['as long as set', everything, 7],
])('the logs are kept %s', (_, own, days) => {
  const kept = logGroupsOf(own).map(({ properties }) => properties.RetentionInDays);
  expect(new Set(kept)).toEqual(new Set([days]));
});
