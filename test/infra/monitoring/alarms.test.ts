import { Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { appOf } from '../template.ts';
import { alarmsIn, conditionOf, sectionOf, watchedBy } from './alarm-state.ts';

const deployment = sample('everything');
const alarms = alarmsIn(deployment).map(({ properties }) => properties);
const withoutBudget = sample('default');
const topic = deployment.only('AWS::SNS::Topic').ref;

// test/golden/service/alarms.txt has what each alarm says and watches, and when it starts.
describe('every alarm', () => {
  it('has event, impact and runbook section, and is sent to the topic', () => {
    for (const alarm of alarms) {
      const text = alarm.AlarmDescription;
      expect(text).toMatch(
        /^[A-Z].+\. Impact: [A-Z].+\. What to do: https:\/\/wiki\.example\.com\/\w+#[a-z-]+$/,
      );
      expect(text.length).toBeLessThanOrEqual(1_024);
      expect(alarm.AlarmActions, text).toEqual([topic]);
      expect(alarm).not.toHaveProperty('InsufficientDataActions');
      const tellsItsEnd = ['backups', 'server-errors'].includes(sectionOf(alarm));
      expect(alarm.OKActions, text).toEqual(tellsItsEnd ? [topic] : undefined);
    }
  });

  it("links this project's runbook if the settings have none", () => {
    for (const { properties } of alarmsIn(withoutBudget)) {
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

describe('alarms start', () => {
  it('for a certificate only with a domain, and for missing requests only with their setting', () => {
    const sections = alarmsIn(withoutBudget).map(({ properties }) => sectionOf(properties));
    expect(sections).not.toContain('certificate');
    expect(sections).not.toContain('silence');
  });

  it('for a week without requests after the longest time that CloudWatch lets a new alarm wait', () => {
    const own = alarmsIn(sample('largest')).filter(({ properties }) => sectionOf(properties) === 'silence');
    expect(own.map(({ properties }) => conditionOf(properties))).toEqual([
      'LessThanThreshold 1 in 168 of 168, breaching, after 2880 minutes',
    ]);
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
  const { alarms, firewall } = sampleSettings.largest;
  expect(warningsOf(appOf({ alarms, firewall }))).toEqual([]);
});

it('an ephemeral stack is not protected from deletion, and warns about nothing', () => {
  const app = appOf(sampleSettings.ephemeral);
  expect(app.stack.terminationProtection).toBe(false);
  expect(warningsOf(app)).toEqual([]);
});
