import { describe, expect, it } from 'vitest';
import { type Deployment, deploymentOf } from './deployment.ts';

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
  it('throttles all methods at 100 a second, 200 at once', () => {
    expect(stage.properties.MethodSettings).toEqual([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: 100,
        ThrottlingBurstLimit: 200,
        LoggingLevel: 'ERROR',
        DataTraceEnabled: false,
      },
    ]);
  });

  it('throttles as it is set', () => {
    const changed = deploymentOf({ throttle: { ratePerSecond: 7, burst: 9 } });
    expect(stageOf(changed).properties.MethodSettings).toMatchObject([
      { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 },
    ]);
  });

  it('logs errors of the gateway, and no data of requests', () => {
    expect(stage.properties.MethodSettings).toMatchObject([
      { LoggingLevel: 'ERROR', DataTraceEnabled: false },
    ]);
  });

  it('traces with X-Ray', () => {
    expect(stage.properties.TracingEnabled).toBe(true);
  });

  it('waits for the role by which the gateway writes logs', () => {
    const account = deployment.only<{ CloudWatchRoleArn: string }>('AWS::ApiGateway::Account');
    const role = deployment
      .resources<Record<string, unknown>>('AWS::IAM::Role')
      .find(({ arn }) => arn === account.properties.CloudWatchRoleArn);
    expect(role?.properties).toMatchObject({
      AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'apigateway.amazonaws.com' } }] },
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
    });
    expect(stage.dependsOn).toContain(account.id);
  });

  it('leaves that role to the other APIs of the account when it goes', () => {
    const account = deploymentOf({ ephemeral: true }).only('AWS::ApiGateway::Account');
    expect(account.deletionPolicy).toBe('Retain');
  });
});

describe('the access log', () => {
  const { DestinationArn, Format } = stage.properties.AccessLogSetting;
  const line = JSON.parse(Format);

  it('has a line of JSON with client, operation, status, latency and request id', () => {
    expect(Format).not.toContain('\n');
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      client: '$context.authorizer.client',
      operation: '$context.httpMethod $context.resourcePath',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
    });
  });

  it('has no header, no body, no query and no path that a client made up', () => {
    expect((Format.match(/\$[\w.]+/g) ?? []).toSorted()).toEqual([
      '$context.authorizer.client',
      '$context.error.responseType',
      '$context.httpMethod',
      '$context.identity.sourceIp',
      '$context.integrationLatency',
      '$context.requestId',
      '$context.requestTime',
      '$context.resourcePath',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.status',
      '$context.xrayTraceId',
    ]);
  });

  it('goes to a log group of the stack', () => {
    const own = logGroups.filter(({ ref }) => DestinationArn.endsWith(`:log-group:${ref}`));
    expect(own).toHaveLength(1);
  });
});

describe('the logs', () => {
  it('are one of each function, the access log and the execution log', () => {
    expect(logGroups).toHaveLength(7);
  });

  it('include the execution log, which the gateway would make by itself and keep for ever', () => {
    const api = deployment.only('AWS::ApiGateway::RestApi');
    const name = `API-Gateway-Execution-Logs_${api.ref}/${stage.properties.StageName}`;
    const [executionLog] = logGroups.filter(({ properties }) => properties.LogGroupName === name);
    expect(stage.dependsOn).toContain(executionLog?.id);
  });

  it.each([
    ['90 days', {}, 90],
    ['as long as is set', { logRetentionDays: 7 }, 7],
  ])('are kept %s', (_, settings, days) => {
    for (const { id, properties } of deploymentOf(settings).resources<LogGroup>('AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays, id).toBe(days);
    }
  });

  it.each([
    ['stay', false, 'Retain'],
    ['go', true, 'Delete'],
  ])('%s when the stack goes and ephemeral is %s', (_, ephemeral, policy) => {
    for (const { id, deletionPolicy } of deploymentOf({ ephemeral }).resources('AWS::Logs::LogGroup')) {
      expect(deletionPolicy, id).toBe(policy);
    }
  });
});
