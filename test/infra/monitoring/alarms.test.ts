import { readFileSync } from 'node:fs';
import { type Stack, Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, deploymentOf } from '../deployment.ts';
import { type FunctionName, functionNames, functionsOf } from '../gateway.ts';
import { stackOf } from '../template.ts';
import { type AlarmProperties, contributorsOf, goesOff, watchedBy } from './alarm-state.ts';

const alarmsIn = ({ resources }: Deployment) =>
  resources<AlarmProperties>('AWS::CloudWatch::Alarm').map(({ properties }) => properties);

const deployment = deploymentOf({
  stackName: 'Warehouse-North',
  clients: ['wms', { name: 'erp', silenceHours: 6 }, { name: 'doctor', silenceHours: 0 }],
  alarms: { silenceHours: 48, wrongCredentialsPerHour: 7, budgetPerMonth: 50 },
  firewall: { requestsPerFiveMinutes: 3_000 },
  backup: { dailyFor: 35, monthlyFor: 12 },
});
const alarms = alarmsIn(deployment);
const withoutSilence = deploymentOf({ clients: ['wms', 'erp'], alarms: { silenceHours: 0 } });

type Target = { metric: string; dimensions?: Record<string, string>; seconds?: number };
const isOn =
  ({ metric, dimensions = {}, seconds }: Target) =>
  (alarm: AlarmProperties) => {
    const watched = watchedBy(alarm);
    return (
      watched.metric === metric &&
      Object.entries(dimensions).every(([name, value]) => watched.dimensions[name] === value) &&
      (seconds === undefined || watched.seconds === seconds)
    );
  };
const alarmOn = (target: Target) => onlyMatch(alarms, isOn(target), target.metric);
const functions = functionsOf(deployment);
const stage = { ApiName: 'Warehouse-North', Stage: deployment.only('AWS::ApiGateway::Stage').ref };
const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

describe('every alarm', () => {
  it.each(alarms.map(({ AlarmDescription }) => AlarmDescription))(
    'has event, impact and runbook entry: %s',
    (text) => {
      expect(text).toMatch(/^[A-Z].+\. Impact: [A-Z].+\. What to do: docs\/runbook\.md#[a-z-]+$/);
      expect(headings).toContain(text.split('#')[1]);
      expect(text.length).toBeLessThanOrEqual(1_024);
    },
  );

  it('is sent to the topic when it goes off, and for silence, server errors and missing backups also when it ends', () => {
    const { ref } = deployment.only('AWS::SNS::Topic');
    expect(deployment.outputs['AlarmTopicArn']).toBe(ref);
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([ref]);
    const entryOf = ({ AlarmDescription }: AlarmProperties) => AlarmDescription.split('#')[1] ?? '';
    const ending = alarms.filter(({ OKActions }) => OKActions);
    for (const { OKActions } of ending) expect(OKActions).toEqual([ref]);
    expect(ending.map(entryOf).toSorted()).toEqual(['backups', 'server-errors', 'silence', 'silence']);
  });

  it('has no action for insufficient data', () => {
    for (const alarm of alarms) expect(alarm).not.toHaveProperty('InsufficientDataActions');
  });

  it('links the runbook of the settings', () => {
    const own = alarmsIn(deploymentOf({ alarms: { runbook: 'https://wiki.example.com/warehouse' } }));
    for (const { AlarmDescription } of own) {
      expect(AlarmDescription).toMatch(/ https:\/\/wiki\.example\.com\/warehouse#[a-z-]+$/);
    }
  });
});

/** The alarms that go off at the first value above 0. */
const atTheFirst: Required<Target>[] = [
  {
    metric: 'AWS/WAFV2 BlockedRequests',
    dimensions: { WebACL: 'Warehouse-North', Rule: 'ALL', Region: 'ap-southeast-2' },
    seconds: 3_600,
  },
  ...functionNames.flatMap((name) =>
    ['Errors', 'Throttles'].map((metric) => ({
      metric: `AWS/Lambda ${metric}`,
      dimensions: { FunctionName: functions[name].ref },
      seconds: 300,
    })),
  ),
  ...operationNames.map((name) => ({
    metric: 'Warehouse-North ThrottledRequests',
    dimensions: { operation: `${operations[name].method} ${operations[name].path}` },
    seconds: 300,
  })),
];

const inTwoOfThree: Required<Target>[] = [
  { metric: 'AWS/ApiGateway 5XXError', dimensions: stage, seconds: 900 },
  { metric: 'Warehouse-North TooManyRequests', dimensions: {}, seconds: 900 },
];

const durationOf = (name: FunctionName): Target => ({
  metric: 'AWS/Lambda Duration',
  dimensions: { FunctionName: functions[name].ref },
});
const snapshotsOf = (client: string): Target => ({
  metric: 'Warehouse-North Snapshots',
  dimensions: { client },
});
const targets = {
  refusedBatches: { metric: 'Warehouse-North RefusedBatches', seconds: 3_600 },
  limitedRequests: { metric: 'Warehouse-North LimitedRequests', seconds: 900 },
  concurrency: { metric: 'AWS/Lambda ClaimedAccountConcurrency', seconds: 300 },
  wrongCredentials: { metric: 'Warehouse-North WrongCredentials', seconds: 900 },
  wrongCredentialsPerHour: { metric: 'Warehouse-North WrongCredentials', seconds: 3_600 },
  backups: {
    metric: 'AWS/Backup NumberOfBackupJobsCompleted',
    dimensions: { BackupVaultName: `${deployment.only('AWS::Backup::BackupVault').ref}.BackupVaultName` },
  },
} satisfies Record<string, Target>;

describe('an alarm goes off', () => {
  const named = (target: Required<Target>) =>
    [target.metric, Object.values(target.dimensions).join(' '), target] as const;

  it.each(atTheFirst.map(named))(
    'at the first %s of %s, and ends after that period',
    (_metric, _of, target) => {
      const alarm = alarmOn(target);
      expect(watchedBy(alarm).statistic).toBe('Sum');
      const measured = [[0], [undefined], [1], [1, undefined]];
      expect(measured.map((periods) => goesOff(alarm, periods))).toEqual([false, false, true, false]);
    },
  );

  it.each(inTwoOfThree.map(named))('at %s of %s in two of three periods', (_metric, _of, target) => {
    const alarm = alarmOn(target);
    expect(watchedBy(alarm).statistic).toBe('Sum');
    const measured = [
      [90, 0, 0],
      [1, undefined, undefined],
      [1, 0, 1],
      [undefined, 1, 1],
    ];
    expect(measured.map((periods) => goesOff(alarm, periods))).toEqual([false, false, true, true]);
  });

  it.each<[keyof typeof targets, Record<string, (number | undefined)[]>, string[]]>([
    ['refusedBatches', { wms: [undefined, 1], erp: [1, undefined], doctor: [9, 9] }, ['wms']],
    ['refusedBatches', { wms: [2, 1], erp: [1] }, ['wms', 'erp']],
    ['limitedRequests', { wms: [1, undefined, 1], erp: [90, undefined, undefined] }, ['wms']],
    ['limitedRequests', { wms: [undefined, 1, 1], doctor: [1, 1, 1] }, ['wms', 'doctor']],
    ['limitedRequests', { wms: [1, 1, undefined, undefined, undefined] }, []],
  ])('at %s of each client on its own: %j', (name, series, clients) => {
    expect(contributorsOf(alarmOn(targets[name]), series)).toEqual(clients);
  });

  it("at 70 % of the account's concurrency quota", () => {
    const alarm = alarmOn(targets.concurrency);
    expect(watchedBy(alarm)).toMatchObject({
      dimensions: {},
      statistic: 'Maximum',
      expression: '100 * claimed / SERVICE_QUOTA(running)',
    });
    expect(alarm.Metrics).toMatchObject([
      { ReturnData: true },
      { Id: 'claimed', ReturnData: false },
      {
        Id: 'running',
        MetricStat: { Metric: { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' } },
        ReturnData: false,
      },
    ]);
    expect([[69], [undefined], [70]].map((periods) => goesOff(alarm, periods))).toEqual([false, false, true]);
  });

  it.each(functionNames)('at 70 % of the timeout of the function %s', (name) => {
    const alarm = alarmOn(durationOf(name));
    const limit = functions[name].properties.Timeout * 1_000;
    expect(watchedBy(alarm).statistic).toBe('Maximum');
    expect([goesOff(alarm, [limit * 0.69]), goesOff(alarm, [limit * 0.71])]).toEqual([false, true]);
    expect(alarm.AlarmDescription).toContain(`of its ${limit / 1_000} s.`);
  });

  it('at wrong credentials in three of four periods of 15 minutes', () => {
    const alarm = alarmOn(targets.wrongCredentials);
    expect(watchedBy(alarm)).toMatchObject({ dimensions: {}, statistic: 'Sum' });
    const none = undefined;
    expect(goesOff(alarm, [1, 1, 1, 1])).toBe(true);
    expect(goesOff(alarm, [1, none, 2, 1])).toBe(true);
    expect(goesOff(alarm, [none, none, 40, 4])).toBe(false);
  });

  it('at the number of wrong credentials an hour in the setting', () => {
    const alarm = alarmOn(targets.wrongCredentialsPerHour);
    expect(watchedBy(alarm)).toMatchObject({ dimensions: {}, statistic: 'Sum' });
    expect([[6], [undefined], [7]].map((periods) => goesOff(alarm, periods))).toEqual([false, false, true]);
  });

  it.each([
    ['wms', 48],
    ['erp', 6],
  ])('when the client %s has sent no batch for %i hours', (client, hours) => {
    const alarm = alarmOn(snapshotsOf(client));
    expect(watchedBy(alarm)).toMatchObject({ statistic: 'Sum', seconds: 3_600 });
    const silent = Array<undefined>(hours).fill(undefined);
    expect(goesOff(alarm, [1, ...silent])).toBe(true);
    expect(goesOff(alarm, [1, ...silent.slice(1)])).toBe(false);
    expect(goesOff(alarm, [...silent, 1])).toBe(false);
    expect(alarm.AlarmDescription).toContain(`${client} was stored for ${hours} h`);
  });

  it('when no backup was completed in two days', () => {
    const alarm = alarmOn(targets.backups);
    expect(watchedBy(alarm)).toMatchObject({ statistic: 'Sum', seconds: 86_400 });
    const measured = [[4], [4, undefined], [4, undefined, undefined], [undefined, undefined, 4]];
    expect(measured.map((periods) => goesOff(alarm, periods))).toEqual([false, false, true, false]);
  });

  it('never for the silence of a client whose silenceHours is 0', () => {
    const ofTheDoctor = alarms.filter((alarm) => watchedBy(alarm).dimensions['client'] === 'doctor');
    expect(ofTheDoctor).toEqual([]);
  });

  it('for refused batches but never for silence if alarms.silenceHours is 0', () => {
    const watched = alarmsIn(withoutSilence).map((alarm) => watchedBy(alarm).metric);
    expect(watched.filter((metric) => metric.endsWith(' Snapshots'))).toEqual([]);
    expect(watched.filter((metric) => metric.endsWith(' RefusedBatches'))).toHaveLength(1);
  });

  it('never for a throttled call to a table, because its retry may have succeeded', () => {
    expect(alarms.filter((alarm) => watchedBy(alarm).metric.startsWith('AWS/DynamoDB'))).toEqual([]);
  });

  it('for no other reason than those above', () => {
    const tested = [
      ...[...atTheFirst, ...inTwoOfThree, ...Object.values(targets)],
      ...functionNames.map(durationOf),
      ...['wms', 'erp'].map(snapshotsOf),
    ];
    expect(alarms.filter((alarm) => !tested.some((target) => isOn(target)(alarm)))).toEqual([]);
    expect(alarms).toHaveLength(tested.length);
  });
});

it('the alarm of a failing authorizer has its own runbook entry', () => {
  for (const name of functionNames) {
    const FunctionName = functions[name].ref;
    const { AlarmDescription } = alarmOn({ metric: 'AWS/Lambda Errors', dimensions: { FunctionName } });
    expect(AlarmDescription.endsWith('#authorizer-failures'), name).toBe(name === 'authorizer');
  }
});

describe('the message of a failed backup', () => {
  const topic = deployment.only('AWS::SNS::Topic').ref;
  type Rule = {
    EventPattern: unknown;
    Targets: { Arn: string; RoleArn: string; InputTransformer: { InputTemplate: string } }[];
  };
  const { EventPattern, Targets } = deployment.only<Rule>('AWS::Events::Rule').properties;

  it('is sent for every table and for every backup or copy that ends without success', () => {
    expect(EventPattern).toEqual({
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
        resourceArn: deployment.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn),
      },
    });
  });

  it('names the table, the impact and a runbook entry, and is sent by a role that can do nothing else', () => {
    const [target, ...others] = Targets;
    expect(others).toEqual([]);
    expect(target?.Arn).toBe(topic);
    expect(target?.InputTransformer.InputTemplate).toMatch(
      /^".+<detail-resourceArn>\. Impact: [A-Z].+\. What to do: docs\/runbook\.md#backups"$/,
    );
    const role = onlyMatch(deployment.resources('AWS::IAM::Role'), ({ arn }) => arn === target?.RoleArn);
    const policies = deployment
      .resources<{ Roles: string[]; PolicyDocument: object }>('AWS::IAM::Policy')
      .filter(({ properties }) => properties.Roles.includes(role.ref));
    expect(policies.map(({ properties }) => properties.PolicyDocument)).toMatchObject([
      { Statement: [{ Effect: 'Allow', Action: 'sns:Publish', Resource: topic }] },
    ]);
  });
});

describe('the topic', () => {
  const policyOf = (own: Deployment) => {
    const policy = own.only<{ PolicyDocument: { Statement: object[] } }>('AWS::SNS::TopicPolicy');
    return policy.properties.PolicyDocument.Statement;
  };

  it("accepts only messages of this account's alarms and budget, over TLS", () => {
    expect(policyOf(withoutSilence)).toHaveLength(2);
    const statements = policyOf(deployment);
    expect(statements).toHaveLength(3);
    expect(statements).toMatchObject([
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: {
          StringEquals: { 'aws:SourceAccount': '123456789012' },
          ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:ap-southeast-2:123456789012:alarm:*' },
        },
      },
      {
        Effect: 'Allow',
        Principal: { Service: 'budgets.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: {
          StringEquals: { 'aws:SourceAccount': '123456789012' },
          ArnLike: { 'aws:SourceArn': 'arn:aws:budgets::123456789012:*' },
        },
      },
    ]);
  });

  it('sends mail to the address of the settings, or to nobody without an address', () => {
    expect(deployment.resources('AWS::SNS::Subscription')).toEqual([]);
    const own = deploymentOf({ alarms: { email: 'admins@example.com' } });
    expect(own.only('AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'admins@example.com',
      TopicArn: own.only('AWS::SNS::Topic').ref,
    });
  });
});

describe('the budget', () => {
  it('is absent without the setting', () => {
    expect(withoutSilence.resources('AWS::Budgets::Budget')).toEqual([]);
  });

  it('sends a message when the actual or forecast costs of the tagged resources pass the limit', () => {
    const { properties, dependsOn } = deployment.only('AWS::Budgets::Budget');
    const notificationOf = (NotificationType: string) => ({
      Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold: 100 },
      Subscribers: [{ SubscriptionType: 'SNS', Address: deployment.only('AWS::SNS::Topic').ref }],
    });
    expect(properties).toMatchObject({
      Budget: {
        BudgetName: 'Warehouse-North-ap-southeast-2',
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 50, Unit: 'USD' },
        CostFilters: { TagKeyValue: ['user:service$Warehouse-North'] },
      },
      NotificationsWithSubscribers: [notificationOf('ACTUAL'), notificationOf('FORECASTED')],
    });
    expect(dependsOn).toContain(deployment.only('AWS::SNS::TopicPolicy').id);
  });
});

describe('the synthesis', () => {
  const warningsOf = (stack: Stack) =>
    stack.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === 'aws:cdk:warning')
      .map(({ data }) => String(data));

  it('warns about missing mail for alarms and about a missing firewall, until both are acknowledged', () => {
    const stack = stackOf();
    const warnings = warningsOf(stack);
    expect(warnings).toEqual([
      expect.stringMatching(/ Set firewall\.requestsPerFiveMinutes \(recommended: 3000\)\. /),
      expect.stringMatching(/^Nobody gets the alarms\. Set alarms\.email, /),
    ]);
    for (const warning of warnings) {
      const [, id] = /\[ack: (.+)\]/.exec(warning) ?? [];
      Validations.of(stack).acknowledge({ id: `Annotation::${id}`, reason: 'Something else does this.' });
    }
    expect(warningsOf(stack)).toEqual([]);
  });

  it.each([
    [
      'with an address and a firewall',
      { alarms: { email: 'admins@example.com' }, firewall: { requestsPerFiveMinutes: 3_000 } },
    ],
    ['in an ephemeral stage', { ephemeral: true }],
  ])('does not warn %s', (_, settings) => {
    expect(warningsOf(stackOf(settings))).toEqual([]);
  });
});
