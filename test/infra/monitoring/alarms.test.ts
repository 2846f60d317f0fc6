import { readFileSync } from 'node:fs';
import { Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { functionNames, functionsOf } from '../api/gateway.ts';
import { type Deployment, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { appOf } from '../template.ts';
import { type AlarmProperties, contributorsOf, goesOff, watchedBy } from './alarm-state.ts';

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

type Values = (number | undefined)[];
type Row = {
  metric: string;
  dimensions?: Record<string, string>;
  seconds: number;
  statistic?: 'Maximum';
  /** The last periods, the oldest first. `x` is a period without data. */
  goesOffAt: Values[];
  staysQuietAt: Values[];
};
const x = undefined;

const atTheFirst = { goesOffAt: [[1]], staysQuietAt: [[0], [x], [1, x]] };
const inTwoOfThree = {
  goesOffAt: [
    [1, 0, 1],
    [x, 1, 1],
  ],
  staysQuietAt: [
    [90, 0, 0],
    [1, x, x],
  ],
};
const silent = (periods: number) => ({
  goesOffAt: [[1, ...Array<undefined>(periods).fill(x)]],
  staysQuietAt: [
    [1, ...Array<undefined>(periods - 1).fill(x)],
    [...Array<undefined>(periods).fill(x), 1],
  ],
});

const rows: Row[] = [
  {
    metric: 'AWS/ApiGateway 5XXError',
    dimensions: { ApiName: 'Warehouse', Stage: deployment.only('AWS::ApiGateway::Stage').ref },
    seconds: 900,
    ...inTwoOfThree,
  },
  { metric: 'Warehouse TooManyRequests', seconds: 900, ...inTwoOfThree },
  {
    metric: 'AWS/WAFV2 BlockedRequests',
    dimensions: { Region: 'eu-central-1', Rule: 'ALL', WebACL: 'Warehouse' },
    seconds: 3_600,
    ...atTheFirst,
  },
  {
    metric: 'AWS/Lambda ClaimedAccountConcurrency',
    seconds: 300,
    statistic: 'Maximum',
    goesOffAt: [[70]],
    staysQuietAt: [[69], [x]],
  },
  {
    metric: 'Warehouse WrongCredentials',
    seconds: 900,
    goesOffAt: [
      [1, 1, 1, 1],
      [1, x, 2, 1],
    ],
    staysQuietAt: [[x, x, 40, 4]],
  },
  { metric: 'Warehouse WrongCredentials', seconds: 3_600, goesOffAt: [[7]], staysQuietAt: [[6], [x]] },
  ...functionNames.flatMap((name): Row[] => {
    const dimensions = { FunctionName: functions[name].ref };
    const limit = functions[name].properties.Timeout * 1_000;
    return [
      { metric: 'AWS/Lambda Errors', dimensions, seconds: 300, ...atTheFirst },
      { metric: 'AWS/Lambda Throttles', dimensions, seconds: 300, ...atTheFirst },
      {
        metric: 'AWS/Lambda Duration',
        dimensions,
        seconds: 300,
        statistic: 'Maximum',
        goesOffAt: [[limit * 0.71]],
        staysQuietAt: [[limit * 0.69]],
      },
    ];
  }),
  ...operationNames.map((name): Row => {
    const operation = `${operations[name].method} ${operations[name].path}`;
    return { metric: 'Warehouse ThrottledRequests', dimensions: { operation }, seconds: 300, ...atTheFirst };
  }),
  {
    metric: 'AWS/Backup NumberOfBackupJobsCompleted',
    dimensions: { BackupVaultName: String(deployment.outputs['BackupVaultName']) },
    seconds: 86_400,
    ...silent(2),
  },
  // The client doctor has silenceHours 0.
  { metric: 'Warehouse Snapshots', dimensions: { client: 'warehouse' }, seconds: 3_600, ...silent(48) },
  { metric: 'Warehouse Snapshots', dimensions: { client: 'wms.1' }, seconds: 3_600, ...silent(6) },
];

/** The alarms that watch each client on its own, in one query. */
const queries = [
  { metric: 'Warehouse RefusedBatches', seconds: 3_600 },
  { metric: 'Warehouse LimitedRequests', seconds: 900 },
];

type Watched = Pick<Row, 'metric' | 'dimensions' | 'seconds'>;
const nameOf = ({ metric, dimensions = {}, seconds }: Watched) =>
  `${metric} of ${JSON.stringify(dimensions)} in ${seconds} s`;
const alarmOn = (target: Watched) =>
  onlyMatch(alarms, (alarm) => nameOf(watchedBy(alarm)) === nameOf(target), nameOf(target));

describe('an alarm goes off', () => {
  it.each(rows.map((row) => [nameOf(row), row] as const))('at the values of the table: %s', (_, row) => {
    const alarm = alarmOn(row);
    expect(watchedBy(alarm).statistic).toBe(row.statistic ?? 'Sum');
    for (const values of row.goesOffAt) expect(goesOff(alarm, values), String(values)).toBe(true);
    for (const values of row.staysQuietAt) expect(goesOff(alarm, values), String(values)).toBe(false);
  });

  it.each<[number, Record<string, Values>, string[]]>([
    [0, { wms: [x, 1], erp: [1, x], doctor: [9, 9] }, ['wms']],
    [0, { wms: [2, 1], erp: [1] }, ['wms', 'erp']],
    [1, { wms: [1, x, 1], erp: [90, x, x] }, ['wms']],
    [1, { wms: [x, 1, 1], doctor: [1, 1, 1] }, ['wms', 'doctor']],
    [1, { wms: [1, 1, x, x, x] }, []],
  ])('at query %i of each client on its own: %j', (index, series, clients) => {
    const query = queries[index] ?? { metric: 'missing', seconds: 0 };
    expect(contributorsOf(alarmOn(query), series)).toEqual(clients);
  });

  it('for no other reason', () => {
    const watched = alarms.map((alarm) => nameOf(watchedBy(alarm)));
    expect(watched.toSorted()).toEqual([...rows, ...queries].map(nameOf).toSorted());
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
    const own = (metric: string) =>
      alarmOn({ metric: `AWS/Lambda ${metric}`, dimensions: { FunctionName: ref }, seconds: 300 });
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
