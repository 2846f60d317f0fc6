import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../support/assembly.ts';
import { type Deployment, deploymentOf } from './deployment.ts';
import { functionNames } from './gateway.ts';

type Stage = {
  StageName: string;
  DeploymentId: string;
  TracingEnabled: boolean;
  MethodSettings: Record<string, unknown>[];
  AccessLogSetting: { DestinationArn: string; Format: string };
};
type LogGroup = { LogGroupName?: string; RetentionInDays: number };

const stageOf = (deployment: Deployment) => deployment.only<Stage>('AWS::ApiGateway::Stage');
const deployment = deploymentOf();
const stage = stageOf(deployment);
const logGroups = deployment.resources<LogGroup>('AWS::Logs::LogGroup');

describe('the stage', () => {
  it.each([
    ['at 1,000 a second and 2,000 at once', {}, 1_000, 2_000],
    ['as set', { throttle: { ratePerSecond: 7, burst: 9 } }, 7, 9],
  ])('throttles all methods %s, and logs errors without request data', (_, settings, rate, burst) => {
    expect(stageOf(deploymentOf(settings)).properties.MethodSettings).toEqual([
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

  it('traces with X-Ray', () => {
    expect(stage.properties.TracingEnabled).toBe(true);
  });

  it('is created after the role with which the gateway writes logs', () => {
    const account = deployment.only<{ CloudWatchRoleArn: string }>('AWS::ApiGateway::Account');
    const roles = deployment.resources<Record<string, unknown>>('AWS::IAM::Role');
    const role = onlyMatch(roles, ({ arn }) => arn === account.properties.CloudWatchRoleArn);
    expect(role.properties).toMatchObject({
      AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'apigateway.amazonaws.com' } }] },
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
    });
    expect(stage.dependsOn).toContain(account.id);
  });

  it('leaves this role to the other APIs of the account when the stack is deleted', () => {
    const account = deploymentOf({ ephemeral: true }).only('AWS::ApiGateway::Account');
    expect(account.deletionPolicy).toBe('Retain');
  });
});

describe('the access log', () => {
  const { DestinationArn, Format } = stage.properties.AccessLogSetting;

  it('is one line of JSON with the user agent, but no other header, body, query or error text', () => {
    expect(Format).not.toContain('\n');
    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      extendedRequestId: '$context.extendedRequestId',
      requestTime: '$context.requestTime',
      client: '$context.authorizer.client',
      operation: '$context.httpMethod $context.resourcePath',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      integrationLatencyMs: '$context.integrationLatency',
      responseBytes: '$context.responseLength',
      sourceIp: '$context.identity.sourceIp',
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
      userAgent: '$context.identity.userAgent',
      errorType: '$context.error.responseType',
      authorizerError: '$context.authorizer.error',
      integrationError: '$context.integration.error',
      traceId: '$context.xrayTraceId',
    });
  });

  it('goes to a log group of the stack', () => {
    expect(logGroups.filter(({ ref }) => DestinationArn.endsWith(`:log-group:${ref}`))).toHaveLength(1);
  });
});

describe('the logs', () => {
  it('are one for each function, the access log and the execution log', () => {
    expect(logGroups).toHaveLength(functionNames.length + 2);
  });

  it('include the execution log, which the gateway would otherwise create itself and never delete', () => {
    const api = deployment.only('AWS::ApiGateway::RestApi');
    const name = `API-Gateway-Execution-Logs_${api.ref}/${stage.properties.StageName}`;
    const executionLog = onlyMatch(logGroups, ({ properties }) => properties.LogGroupName === name);
    expect(stage.dependsOn).toContain(executionLog.id);
  });

  it.each([
    ['90 days', {}, 90],
    ['as long as set', { logRetentionDays: 7 }, 7],
  ])('are kept %s', (_, settings, days) => {
    for (const { id, properties } of deploymentOf(settings).resources<LogGroup>('AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays, id).toBe(days);
    }
  });

  it.each([
    ['are kept, except after a failed first deployment,', false, 'RetainExceptOnCreate', 'Retain'],
    ['are deleted', true, 'Delete', 'Delete'],
  ])(
    '%s when the stack is deleted and ephemeral is %s',
    (_, ephemeral, deletionPolicy, updateReplacePolicy) => {
      for (const group of deploymentOf({ ephemeral }).resources('AWS::Logs::LogGroup')) {
        expect(group, group.id).toMatchObject({ deletionPolicy, updateReplacePolicy });
      }
    },
  );
});
