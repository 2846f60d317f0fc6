import { Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { warn } from '../warn.ts';
import { type AlarmPlan, type Condition, planAlarms } from './alarms.ts';
import { allowPublishing } from './allow-publishing.ts';
import { addBackupFailures } from './backup-failures.ts';
import { addBudget } from './budget.ts';
import { addDashboard } from './dashboard.ts';
import { logQueries, saveQueries } from './log-queries.ts';
import type { MonitoredResources } from './monitored-resources.ts';

export class Monitoring extends Construct {
  readonly topicArn: string;
  readonly dashboardUrl: string | undefined;

  constructor(scope: Construct, id: string, resources: MonitoredResources) {
    super(scope, id);
    const { stackName, ephemeral, dashboard, alarms: alarmSettings } = resources.settings;
    const { email, runbook, budgetPerMonth } = alarmSettings;
    const topic = addTopic(this, stackName);
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    else if (!ephemeral) warn(this, 'no-alarm-email', NO_EMAIL_TEXT);
    if (budgetPerMonth !== undefined) addBudget(this, { stackName, topic, budgetPerMonth });
    const { backup } = resources;
    if (backup) addBackupFailures(this, { topic, tableArns: backup.tableArns, runbook });

    const action = new SnsAction(topic);
    const alarms = planAlarms(resources).map((plan) => {
      const alarm = addAlarm(this, plan, runbook);
      alarm.addAlarmAction(action);
      if (plan.notifiesWhenEnded) alarm.addOkAction(action);
      return alarm;
    });
    this.topicArn = topic.topicArn;

    const queries = logQueries(resources);
    saveQueries(this, stackName, Object.values(queries));
    if (dashboard) {
      const { dashboardName } = addDashboard(this, { ...resources, alarms, queries });
      this.dashboardUrl = `https://console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${dashboardName}`;
    }
  }
}

const NO_EMAIL_TEXT =
  'Nobody gets the alarms. Set alarms.email, or subscribe to the topic AlarmTopicArn by other means.';

/** `enforceSSL` gives the topic a policy of its own, which replaces the default one. So CloudWatch needs a permission. */
const addTopic = (scope: Construct, displayName: string) => {
  const topic = new Topic(scope, 'Alarms', { displayName, enforceSSL: true });
  const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`;
  allowPublishing(topic, 'cloudwatch.amazonaws.com', alarms);
  return topic;
};

const addAlarm = (
  scope: Construct,
  { id, metric, condition, happened, impact, runbookEntry }: AlarmPlan,
  runbook: string,
) =>
  new Alarm(scope, id, {
    metric,
    alarmDescription: `${happened} Impact: ${impact} What to do: ${runbook}#${runbookEntry}`,
    ...toAlarmProps(condition),
  });

const toAlarmProps = (condition: Condition) =>
  'atLeast' in condition
    ? {
        threshold: condition.atLeast,
        evaluationPeriods: condition.evaluatedPeriods ?? 1,
        datapointsToAlarm: condition.highPeriods ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: 1,
        evaluationPeriods: condition.silentPeriods,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };
