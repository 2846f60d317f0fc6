import { Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, functionNames, functionsOf, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { appOf } from '../template.ts';
import { type AlarmProperties, alarmsIn, conditionOf, sectionOf, watchedBy } from './alarm-state.ts';

const deployment = sample('everything');
const alarms = alarmsIn(deployment).map(({ properties }) => properties);
const functions = functionsOf(deployment);
const withoutBudget = sample('default');
const topic = deployment.only('AWS::SNS::Topic').ref;

describe('every alarm', () => {
  it.each(alarms.map((alarm) => [alarm.AlarmDescription, alarm] as const))(
    'has event, impact and runbook section, and is sent to the topic: %s',
    (text, alarm) => {
      expect(text).toMatch(
        /^[A-Z].+\. Impact: [A-Z].+\. What to do: https:\/\/wiki\.example\.com\/\w+#[a-z-]+$/,
      );
      expect(text.length).toBeLessThanOrEqual(1_024);
      expect(alarm.AlarmActions).toEqual([topic]);
      expect(alarm).not.toHaveProperty('InsufficientDataActions');
      const tellsItsEnd = ['backups', 'server-errors'].includes(sectionOf(alarm));
      expect(alarm.OKActions).toEqual(tellsItsEnd ? [topic] : undefined);
    },
  );

  it("links this project's runbook if the settings have none", () => {
    for (const { properties } of alarmsIn(sample('default'))) {
      expect(properties.AlarmDescription).toMatch(/ docs\/runbook\.md#[a-z-]+$/);
    }
  });
});

it('the text of an alarm that waits at first does not change unless what it watches does, because each change starts the wait again', () => {
  const texts = (['default', 'everything', 'largest'] as const).flatMap((name) => {
    const waiting = alarmsIn(sample(name)).filter(({ properties }) => properties.WarmUpConfiguration);
    expect(waiting.length).toBeGreaterThan(0);
    return waiting.map(({ properties }) => ({
      watched: `${watchedBy(properties).metric} ${conditionOf(properties)}`,
      text: properties.AlarmDescription.replace(/ What to do: .*#/, ''),
    }));
  });
  const perAlarm = Map.groupBy(texts, ({ watched }) => watched);
  expect(perAlarm.size).toBeLessThan(texts.length);
  for (const [watched, same] of perAlarm) {
    expect(new Set(same.map(({ text }) => text)).size, watched).toBe(1);
  }
});

type Row = [metric: string, dimensions: object, seconds: number, condition: string, how?: string];

const from = (limit: number, periods = '1 of 1') =>
  `GreaterThanOrEqualToThreshold ${limit} in ${periods}, notBreaching`;
/** A new alarm waits for all of its periods, in which it has no data yet. */
const nothingIn = (periods: number, minutes: number) =>
  `LessThanThreshold 1 in ${periods} of ${periods}, breaching, after ${minutes} minutes`;
const ZERO_IF_MISSING = 'Sum of FILL(counted, 0)';

const stage = { ApiName: 'Warehouse', Stage: deployment.only('AWS::ApiGateway::Stage').ref };
const firewall = { Region: 'eu-central-1', Rule: 'ALL', WebACL: 'Warehouse' };
const vault = { BackupVaultName: String(deployment.outputs['BackupVaultName']) };
const authorizer = { FunctionName: functions.authorizer.ref };
const watch = { FunctionName: functions.watch.ref };
const certificate = { CertificateArn: sampleSettings.everything.domain.certificateArn };
/** The metric ends with the certificate. */
const EXPIRING = 'LessThanThreshold 21 in 1 of 1, ignore';
/** EventBridge repeats a run of the watch, which no warehouse waits for. */
const servingNames = functionNames.filter((name) => name !== 'watch');
const claimed = 'AWS/Lambda ClaimedAccountConcurrency,AWS/Lambda ConcurrentExecutions';

/** What the runbook section of each alarm watches. */
const expected: Record<string, Row[]> = {
  'server-errors': [['AWS/ApiGateway 5XXError', stage, 900, from(1, '2 of 3')]],
  silence: [['Warehouse ClientRequests', {}, 3_600, nothingIn(5, 300), ZERO_IF_MISSING]],
  'too-many-requests': [['Warehouse TooManyRequests', {}, 900, from(1, '2 of 3'), ZERO_IF_MISSING]],
  'client-limits': [['Warehouse LimitedRequests', {}, 900, from(1, '2 of 3'), 'Sum by client']],
  'firewall-blocks': [['AWS/WAFV2 BlockedRequests', firewall, 3_600, from(1)]],
  'wrong-credentials': [
    ['Warehouse WrongCredentials', {}, 900, from(1, '3 of 4'), ZERO_IF_MISSING],
    ['Warehouse WrongCredentials', {}, 3_600, from(7)],
  ],
  'authorizer-failures': [
    ['AWS/Lambda Errors,Warehouse UnreadableClients', authorizer, 300, from(1), 'Sum of errors + unreadable'],
  ],
  watch: [
    ['AWS/Lambda Errors', watch, 3_600, from(1)],
    ['AWS/Lambda Invocations', watch, 3_600, nothingIn(3, 180), ZERO_IF_MISSING],
  ],
  certificate: [['AWS/CertificateManager DaysToExpiry', certificate, 86_400, EXPIRING, 'Minimum']],
  'function-errors': operationNames.map((name) => [
    'AWS/Lambda Errors',
    { FunctionName: functions[name].ref },
    300,
    from(1),
  ]),
  'function-throttles': [
    [claimed, {}, 300, from(70), 'Maximum of 100 * claimed / SERVICE_QUOTA(running)'],
    ...servingNames.map(
      (name): Row => ['AWS/Lambda Throttles', { FunctionName: functions[name].ref }, 300, from(1)],
    ),
  ],
  'slow-responses': servingNames.map((name) => {
    const { ref, properties } = functions[name];
    return ['AWS/Lambda Duration', { FunctionName: ref }, 300, from(properties.Timeout * 700), 'Maximum'];
  }),
  'table-throttles': operationNames.map((name) => {
    const operation = `${operations[name].method} ${operations[name].path}`;
    return ['Warehouse ThrottledRequests', { operation }, 300, from(1)];
  }),
  backups: [['AWS/Backup NumberOfBackupJobsCompleted', vault, 86_400, nothingIn(2, 2_880), ZERO_IF_MISSING]],
  'refused-batches': [['Warehouse RefusedBatches', {}, 3_600, from(1), 'Sum by client']],
};

const lineOf = (...[metric, dimensions, seconds, condition, how = 'Sum']: Row) =>
  `${metric} of ${JSON.stringify(dimensions)}: ${how} in ${seconds} s, ${condition}`;
const lineOfAlarm = (alarm: AlarmProperties) => {
  const { metric, dimensions, seconds = 0, how } = watchedBy(alarm);
  return lineOf(metric, dimensions, seconds, conditionOf(alarm), how);
};

describe('alarms start', () => {
  it.each(Object.entries(expected))('with the section %s, at these values', (section, rows) => {
    const own = alarms.filter((alarm) => sectionOf(alarm) === section);
    expect(own.map(lineOfAlarm).toSorted()).toEqual(rows.map((row) => lineOf(...row)).toSorted());
  });

  it('for no other reason', () => {
    expect(alarms).toHaveLength(Object.values(expected).flat().length);
  });

  it.each([
    [
      'authorizer-failures',
      / most clients are served as before for 5 minutes\. After that, every client gets a 503/,
    ],
    ['watch', /^The watch has not run for three hours\./],
    ['silence', /^No request of a client arrived in the last 5 hours\./],
    ['certificate', /^The certificate of the domain expires in less than 21 days\./],
  ])('with the section %s, and say for how long', (section, words) => {
    const own = alarms.filter((alarm) => sectionOf(alarm) === section);
    expect(own.map(({ AlarmDescription }) => AlarmDescription)).toContainEqual(expect.stringMatching(words));
  });

  it('for a certificate only with a domain, and for missing requests only with their setting', () => {
    const sections = alarmsIn(sample('default')).map(({ properties }) => sectionOf(properties));
    expect(sections).not.toContain('certificate');
    expect(sections).not.toContain('silence');
  });

  it('for a week without requests after the longest time that CloudWatch lets a new alarm wait', () => {
    const own = alarmsIn(sample('largest')).filter(({ properties }) => sectionOf(properties) === 'silence');
    expect(own.map(({ properties }) => conditionOf(properties))).toEqual([nothingIn(168, 2_880)]);
  });
});

it('a failed or partly failed backup or copy sends its table, the impact and a runbook section, by a role that can do nothing else', () => {
  type Target = { Arn: string; RoleArn: string; InputTransformer: { InputTemplate: string } };
  const rules = deployment.resources<{ EventPattern?: object; Targets: Target[] }>('AWS::Events::Rule');
  const rule = onlyMatch(rules, ({ properties }) => properties.EventPattern !== undefined).properties;
  expect(rule.EventPattern).toMatchObject({
    source: ['aws.backup'],
    'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
    detail: {
      // AWS Backup says PARTIAL of a job that has left something out.
      state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
      resourceArn: deployment.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn),
    },
  });
  const target = onlyMatch(rule.Targets, ({ Arn }) => Arn === topic);
  expect(target.InputTransformer.InputTemplate).toMatch(
    /^"<detail-type> to <detail-state> of the table <detail-resourceArn>\. Impact: [A-Z].+\. What to do: \S+#backups"$/,
  );
  type Policy = { Roles: string[]; PolicyDocument: object };
  const policies = deployment
    .resources<Policy>('AWS::IAM::Policy')
    .filter(({ properties: { Roles } }) => Roles.some((role) => target.RoleArn.endsWith(`/${role}`)));
  const statement = { Effect: 'Allow', Action: 'sns:Publish', Resource: topic };
  expect(policies).toMatchObject([{ properties: { PolicyDocument: { Statement: [statement] } } }]);
});

describe('the topic', () => {
  it("accepts only messages of this account's alarms and budget, over TLS", () => {
    const common = { Effect: 'Allow', Action: 'sns:Publish' };
    const publisher = (service: string, source: string) => ({
      ...common,
      Principal: { Service: `${service}.amazonaws.com` },
      Condition: {
        StringEquals: { 'aws:SourceAccount': '000000000000' },
        ArnLike: { 'aws:SourceArn': `arn:aws:${source}` },
      },
    });
    const Condition = { Bool: { 'aws:SecureTransport': 'false' } };
    const onlyTls = { ...common, Effect: 'Deny', Principal: '*', Condition };
    const ofAlarms = publisher('cloudwatch', 'cloudwatch:eu-central-1:000000000000:alarm:*');
    const ofBudget = publisher('budgets', 'budgets::000000000000:*');
    type Policy = { PolicyDocument: { Statement: object[] } };
    const statementsOf = ({ only }: Deployment) =>
      only<Policy>('AWS::SNS::TopicPolicy').properties.PolicyDocument.Statement;
    // toMatchObject also compares the number of statements.
    expect(statementsOf(withoutBudget)).toMatchObject([onlyTls, ofAlarms]);
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

it('a budget exists with the setting, and sends a message when monthly costs of the tagged resources pass it, or will', () => {
  expect(withoutBudget.resources('AWS::Budgets::Budget')).toEqual([]);
  const { properties, dependsOn } = deployment.only('AWS::Budgets::Budget');
  const passed = (NotificationType: string) => ({
    Notification: {
      NotificationType,
      ComparisonOperator: 'GREATER_THAN',
      Threshold: 100,
      ThresholdType: 'PERCENTAGE',
    },
    Subscribers: [{ SubscriptionType: 'SNS', Address: topic }],
  });
  expect(properties).toMatchObject({
    Budget: {
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: sampleSettings.everything.alarms.budgetPerMonth, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:service$Warehouse'] },
    },
    NotificationsWithSubscribers: [passed('ACTUAL'), passed('FORECASTED')],
  });
  expect(dependsOn).toContain(deployment.only('AWS::SNS::TopicPolicy').id);
});

const warningsOf = ({ stack }: ReturnType<typeof appOf>) =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => String(data));

it('the synthesis warns about missing mail for alarms and a missing firewall until both are set or acknowledged', () => {
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
  expect(warningsOf(appOf(sampleSettings.largest))).toEqual([]);
  expect(warningsOf(appOf(sampleSettings.ephemeral))).toEqual([]);
});
