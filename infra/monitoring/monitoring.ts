import { Aws } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { warn } from '../warn.ts';
import { addAlarm } from './alarm.ts';
import { defineAlarms, type MonitoredResources } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import { saveQueries } from './log-queries.ts';
import { scheduleWatch } from './schedule-watch.ts';
import { addBudget, addTopic, sendBackupFailures } from './topic.ts';

export class Monitoring extends Construct {
  readonly topicArn: string;
  readonly dashboardUrl: string | undefined;

  constructor(scope: Construct, id: string, resources: MonitoredResources) {
    super(scope, id);
    const { backup, settings, watch } = resources;
    const { stackName, ephemeral, dashboard } = settings;
    const { email, runbook, budgetPerMonth } = settings.alarms;
    const topic = addTopic(this, stackName);
    this.topicArn = topic.topicArn;
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    else if (!ephemeral) warn(this, 'no-alarm-email', NO_EMAIL_TEXT);
    if (budgetPerMonth !== undefined) addBudget(this, topic, stackName, budgetPerMonth);
    if (backup) sendBackupFailures(this, topic, backup.tableArns, runbook);

    scheduleWatch(this, watch, topic, { stackName, runbook });
    const action = new SnsAction(topic);
    const definitions = defineAlarms(resources);
    const alarms = definitions.map((definition) => {
      const alarm = addAlarm(this, definition, runbook);
      alarm.addAlarmAction(action);
      if (definition.notifiesWhenEnded) alarm.addOkAction(action);
      return alarm;
    });
    saveQueries(this, resources);
    if (dashboard) {
      const { dashboardName } = addDashboard(this, definitions, alarms);
      this.dashboardUrl = `https://console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${dashboardName}`;
    }
  }
}

const NO_EMAIL_TEXT =
  'Nobody gets the alarms. Set alarms.email, or subscribe to the topic AlarmTopicArn by other means.';
