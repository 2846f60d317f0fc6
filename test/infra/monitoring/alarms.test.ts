import { readFileSync } from 'node:fs';
import { Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { functionNames, functionsOf } from '../api/gateway.ts';
import { type Deployment, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { appOf } from '../template.ts';
import { type AlarmProperties, conditionOf, leftOutBy, watchedBy } from './alarm-state.ts';

const alarmsIn = ({ resources }: Deployment) =>
  resources<AlarmProperties>('AWS::CloudWatch::Alarm').map(({ properties }) => properties);
const entryOf = ({ AlarmDescription }: AlarmProperties) => AlarmDescription.split('#')[1] ?? '';

const deployment = sample('everything');
const alarms = alarmsIn(deployment);
const functions = functionsOf(deployment);
const withoutSilence = sample('largest');
const topic = deployment.only('AWS::SNS::Topic').ref;
const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

describe('every alarm', () => {
  it.each(alarms.map((alarm) => [alarm.AlarmDescription, alarm] as const))(
    'has event, impact and runbook entry, and is sent to the topic: %s',
    (text, alarm) => {
      expect(text).toMatch(
        /^[A-Z].+\. Impact: [A-Z].+\. What to do: https:\/\/wiki\.example\.com\/\w+#[a-z-]+$/,
      );
      expect(headings).toContain(entryOf(alarm));
      expect(text.length).toBeLessThanOrEqual(1_024);
      expect(alarm.AlarmActions).toEqual([topic]);
      expect(alarm).not.toHaveProperty('InsufficientDataActions');
      const tellsItsEnd = ['backups', 'server-errors', 'silence'].includes(entryOf(alarm));
      expect(alarm.OKActions).toEqual(tellsItsEnd ? [topic] : undefined);
    },
  );

  it("links this project's runbook if the settings have none", () => {
    const links = alarmsIn(sample('default')).map(({ AlarmDescription }) =>
      AlarmDescription.split(' ').at(-1),
    );
    expect(links.filter((link) => !/^docs\/runbook\.md#[a-z-]+$/.test(link ?? ''))).toEqual([]);
  });
});

type Row = [
  metric: string,
  dimensions: Record<string, string>,
  seconds: number,
  condition: string,
  statistic?: 'Sum' | 'Maximum',
];

const from = (limit: number, periods = '1 of 1') =>
  `GreaterThanOrEqualToThreshold ${limit} in ${periods}, notBreaching`;
const silent = (periods: number) => `LessThanThreshold 1 in ${periods} of ${periods}, breaching`;

const stage = { ApiName: 'Warehouse', Stage: deployment.only('AWS::ApiGateway::Stage').ref };
const firewall = { Region: 'eu-central-1', Rule: 'ALL', WebACL: 'Warehouse' };
const vault = { BackupVaultName: String(deployment.outputs['BackupVaultName']) };

const rows: Row[] = [
  ['AWS/ApiGateway 5XXError', stage, 900, from(1, '2 of 3')],
  ['Warehouse TooManyRequests', {}, 900, from(1, '2 of 3')],
  ['AWS/WAFV2 BlockedRequests', firewall, 3_600, from(1)],
  ['AWS/Lambda ClaimedAccountConcurrency', {}, 300, from(70), 'Maximum'],
  ['Warehouse WrongCredentials', {}, 900, from(1, '3 of 4')],
  ['Warehouse WrongCredentials', {}, 3_600, from(7)],
  ...functionNames.flatMap((name): Row[] => {
    const dimensions = { FunctionName: functions[name].ref };
    const milliseconds = functions[name].properties.Timeout * 1_000;
    return [
      ['AWS/Lambda Errors', dimensions, 300, from(1)],
      ['AWS/Lambda Throttles', dimensions, 300, from(1)],
      ['AWS/Lambda Duration', dimensions, 300, from(milliseconds * 0.7), 'Maximum'],
    ];
  }),
  ...operationNames.map((name): Row => {
    const operation = `${operations[name].method} ${operations[name].path}`;
    return ['Warehouse ThrottledRequests', { operation }, 300, from(1)];
  }),
  ['AWS/Backup NumberOfBackupJobsCompleted', vault, 86_400, silent(2)],
  // The client doctor has silenceHours 0.
  ['Warehouse Snapshots', { client: 'warehouse' }, 3_600, silent(48)],
  ['Warehouse Snapshots', { client: 'wms.1' }, 3_600, silent(6)],
];

const nameOf = (metric: string, dimensions: object, seconds: number) =>
  `${metric} of ${JSON.stringify(dimensions)} in ${seconds} s`;
const watchedName = (alarm: AlarmProperties) => {
  const { metric, dimensions, seconds } = watchedBy(alarm);
  return nameOf(metric, dimensions, seconds);
};
type Target = Parameters<typeof nameOf>;
const alarmOn = (...target: Target) =>
  onlyMatch(alarms, (alarm) => watchedName(alarm) === nameOf(...target), nameOf(...target));

/** These watch each client on its own, in one query. */
const refusedBatches: Target = ['Warehouse RefusedBatches', {}, 3_600];
const limitedRequests: Target = ['Warehouse LimitedRequests', {}, 900];

describe('an alarm goes off', () => {
  it.each(rows)('%s of %j in %i s: %s', (metric, dimensions, seconds, condition, statistic = 'Sum') => {
    const alarm = alarmOn(metric, dimensions, seconds);
    expect(watchedBy(alarm).statistic).toBe(statistic);
    expect(conditionOf(alarm)).toBe(condition);
  });

  it.each<[Target, string, string[]]>([
    [refusedBatches, from(1), ['doctor']],
    [limitedRequests, from(1, '2 of 3'), []],
  ])('for each client on its own, %j: %s, without %j', (target, condition, leftOut) => {
    const alarm = alarmOn(...target);
    expect(conditionOf(alarm)).toBe(condition);
    expect(leftOutBy(alarm)).toEqual(leftOut);
  });

  it('for no other reason', () => {
    const expected = rows.map(([metric, dimensions, seconds]) => nameOf(metric, dimensions, seconds));
    const queries = [refusedBatches, limitedRequests].map((target) => nameOf(...target));
    expect(alarms.map(watchedName).toSorted()).toEqual([...expected, ...queries].toSorted());
  });

  it("at a percentage of the account's concurrency quota", () => {
    const alarm = onlyMatch(
      alarms,
      (one) => watchedBy(one).expression !== undefined && Boolean(one.Metrics?.[1]),
    );
    expect(alarm.Metrics).toMatchObject([
      { Expression: '100 * claimed / SERVICE_QUOTA(running)', ReturnData: true },
      { Id: 'claimed', ReturnData: false },
      {
        Id: 'running',
        MetricStat: { Metric: { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' } },
        ReturnData: false,
      },
    ]);
  });

  it('for refused batches but never for silence if alarms.silenceHours is 0', () => {
    const watched = alarmsIn(withoutSilence).map((alarm) => watchedBy(alarm).metric);
    expect(watched.filter((metric) => metric.endsWith(' Snapshots'))).toEqual([]);
    expect(watched.filter((metric) => metric.endsWith(' RefusedBatches'))).toHaveLength(1);
  });

  it.each(functionNames)('of %s, and its text names the timeout and the entry of what failed', (name) => {
    const { ref, properties } = functions[name];
    const own = (metric: string) => alarmOn(`AWS/Lambda ${metric}`, { FunctionName: ref }, 300);
    expect(own('Duration').AlarmDescription).toContain(`of its ${properties.Timeout} s.`);
    expect(entryOf(own('Errors'))).toBe(name === 'authorizer' ? 'authorizer-failures' : 'function-errors');
  });
});

it('a failed backup sends its table, the impact and a runbook entry, by a role that can do nothing else', () => {
  type Target = { Arn: string; RoleArn: string; InputTransformer: { InputTemplate: string } };
  const rule = deployment.only<{ EventPattern: object; Targets: Target[] }>('AWS::Events::Rule').properties;
  expect(rule.EventPattern).toMatchObject({
    source: ['aws.backup'],
    detail: { resourceArn: deployment.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn) },
  });
  const target = onlyMatch(rule.Targets, ({ Arn }) => Arn === topic);
  expect(target.InputTransformer.InputTemplate).toMatch(
    /^".+<detail-resourceArn>\. Impact: [A-Z].+\. What to do: \S+#backups"$/,
  );
  const role = onlyMatch(deployment.resources('AWS::IAM::Role'), ({ arn }) => arn === target.RoleArn);
  const policies = deployment
    .resources<{ Roles: string[]; PolicyDocument: object }>('AWS::IAM::Policy')
    .filter(({ properties }) => properties.Roles.includes(role.ref));
  expect(policies.map(({ properties }) => properties.PolicyDocument)).toMatchObject([
    { Statement: [{ Effect: 'Allow', Action: 'sns:Publish', Resource: topic }] },
  ]);
});

describe('the topic', () => {
  it("accepts only messages of this account's alarms and budget, over TLS", () => {
    const publisher = (service: string, source: string) => ({
      Effect: 'Allow',
      Principal: { Service: `${service}.amazonaws.com` },
      Action: 'sns:Publish',
      Condition: {
        StringEquals: { 'aws:SourceAccount': '000000000000' },
        ArnLike: { 'aws:SourceArn': `arn:aws:${source}` },
      },
    });
    const onlyTls = {
      Effect: 'Deny',
      Principal: '*',
      Action: 'sns:Publish',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    const ofAlarms = publisher('cloudwatch', 'cloudwatch:eu-central-1:000000000000:alarm:*');
    const ofBudget = publisher('budgets', 'budgets::000000000000:*');
    type Policy = { PolicyDocument: { Statement: object[] } };
    const statementsOf = ({ only }: Deployment) =>
      only<Policy>('AWS::SNS::TopicPolicy').properties.PolicyDocument.Statement;
    // toMatchObject also compares the number of statements.
    expect(statementsOf(withoutSilence)).toMatchObject([onlyTls, ofAlarms]);
    expect(statementsOf(deployment)).toMatchObject([onlyTls, ofAlarms, ofBudget]);
  });

  it('sends mail to the address of the settings, or to nobody without an address', () => {
    expect(sample('default').resources('AWS::SNS::Subscription')).toEqual([]);
    expect(deployment.only('AWS::SNS::Subscription').properties).toMatchObject({
      Protocol: 'email',
      Endpoint: sampleSettings.everything.alarms.email,
      TopicArn: topic,
    });
  });
});

it('a budget exists with the setting, and sends a message when costs of the tagged resources pass it', () => {
  expect(withoutSilence.resources('AWS::Budgets::Budget')).toEqual([]);
  const { properties, dependsOn } = deployment.only('AWS::Budgets::Budget');
  const subscribed = { Subscribers: [{ SubscriptionType: 'SNS', Address: topic }] };
  expect(properties).toMatchObject({
    Budget: {
      BudgetLimit: { Amount: sampleSettings.everything.alarms.budgetPerMonth, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:service$Warehouse'] },
    },
    NotificationsWithSubscribers: [
      { Notification: { NotificationType: 'ACTUAL' }, ...subscribed },
      { Notification: { NotificationType: 'FORECASTED' }, ...subscribed },
    ],
  });
  expect(dependsOn).toContain(deployment.only('AWS::SNS::TopicPolicy').id);
});

describe('the synthesis', () => {
  const warningsOf = ({ stack }: ReturnType<typeof appOf>) =>
    stack.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === 'aws:cdk:warning')
      .map(({ data }) => String(data));

  it('warns about missing mail for alarms and about a missing firewall, until both are acknowledged', () => {
    const app = appOf();
    const warnings = warningsOf(app);
    expect(warnings).toEqual([
      expect.stringMatching(/ Set firewall\.requestsPerFiveMinutes \(recommended: 3000\), /),
      expect.stringMatching(/^Nobody gets the alarms\. Set alarms\.email, /),
    ]);
    for (const warning of warnings) {
      const [, id] = /\[ack: (.+)\]/.exec(warning) ?? [];
      Validations.of(app.stack).acknowledge({ id: `Annotation::${id}`, reason: 'Something else does this.' });
    }
    expect(warningsOf(app)).toEqual([]);
  });

  it.each([
    ['with an address and a firewall', sampleSettings.largest],
    ['in an ephemeral stage', sampleSettings.ephemeral],
  ])('does not warn %s', (_, settings) => {
    expect(warningsOf(appOf(settings))).toEqual([]);
  });
});
