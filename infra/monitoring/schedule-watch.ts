import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { variables } from '../../shared/environment.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

/** Lets the watch publish to the topic, and runs it at minute 5 of each hour, when the batches of the hour before are stored. */
export const scheduleWatch = (
  scope: Construct,
  watch: ServiceFunction,
  topic: Topic,
  { stackName, runbook }: { stackName: string; runbook: string },
) => {
  const environment = {
    [variables.alarmTopic]: topic.topicArn,
    [variables.stackName]: stackName,
    [variables.runbook]: runbook,
  };
  watch.grant('sns:Publish', topic.topicArn, environment);
  new Rule(scope, 'EveryHour', {
    description: 'Looks for warehouses that have stopped sending batches',
    schedule: Schedule.cron({ minute: '5' }),
    targets: [new LambdaFunction(watch.function, { maxEventAge: Duration.hours(2), retryAttempts: 2 })],
  });
};
