import { Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmPlan, alarmPlansOf, type When } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import type { DeployedParts } from './deployed-parts.ts';

/** Tells an admin of trouble before a warehouse does: alarms to one topic, and a dashboard. */
export class Monitoring extends Construct {
  readonly topicArn: string;
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, parts: DeployedParts) {
    super(scope, id);
    const { email, runbook } = parts.settings.alarms;
    const topic = alarmTopic(this, parts.settings.stackName);
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));

    const action = new SnsAction(topic);
    const alarms = alarmPlansOf(parts).map((plan) => {
      const alarm = alarmOf(this, plan, runbook);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
    const { dashboardName } = dashboardOf(this, { ...parts, alarms });
    this.topicArn = topic.topicArn;
    this.dashboardUrl = `https://console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${dashboardName}`;
  }
}

/** Of a topic; a stack's name may be longer. */
const MAX_DISPLAY_NAME = 100;

/** CloudWatch alone may send to it: the policy that a topic has by itself goes as soon as it has one of its own. */
const alarmTopic = (scope: Construct, displayName: string) => {
  const topic = new Topic(scope, 'Alarms', {
    displayName: displayName.slice(0, MAX_DISPLAY_NAME),
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: {
          'aws:SourceArn': `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`,
        },
      },
    }),
  );
  return topic;
};

const alarmOf = (
  scope: Construct,
  { id, metric, when, happened, impact, entry }: AlarmPlan,
  runbook: string,
) =>
  new Alarm(scope, id, {
    metric,
    alarmDescription: `${happened} Impact: ${impact} What to do: ${runbook}#${entry}`,
    ...conditionOf(when),
  });

const conditionOf = (when: When) =>
  'atLeast' in when
    ? {
        threshold: when.atLeast,
        evaluationPeriods: when.ofTheLast ?? 1,
        datapointsToAlarm: when.periods ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: 1,
        evaluationPeriods: when.nothingFor,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };
