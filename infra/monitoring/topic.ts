import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** `enforceSSL` gives the topic a policy that replaces the default policy. So CloudWatch needs a permission. */
export const addTopic = (scope: Construct, displayName: string) => {
  const topic = new Topic(scope, 'Alarms', { displayName, enforceSSL: true });
  const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`;
  allowPublishing(topic, 'cloudwatch.amazonaws.com', alarms);
  return topic;
};

const allowPublishing = (topic: Topic, service: string, sourceArn: string) =>
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(service)],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': sourceArn },
      },
    }),
  );

export const addBudget = (scope: Construct, topic: Topic, stackName: string, budgetPerMonth: number) => {
  const budgets = `arn:${Aws.PARTITION}:budgets::${Aws.ACCOUNT_ID}:*`;
  allowPublishing(topic, 'budgets.amazonaws.com', budgets);
  const budget = new CfnBudget(scope, 'Budget', {
    budget: {
      // The name must be unique in the account, and other regions may have a stack of this name.
      budgetName: `${stackName}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budgetPerMonth, unit: 'USD' },
      // The budget counts nothing until the account has activated the cost allocation tag `service`.
      costFilters: { TagKeyValue: [`user:service$${stackName}`] },
    },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
  // The dependency includes the topic's policy, without which the topic refuses the budget's messages.
  budget.node.addDependency(topic);
};

/** Sends a message for each backup that fails. */
export const sendBackupFailures = (
  scope: Construct,
  topic: Topic,
  tableArns: readonly string[],
  runbook: string,
) => {
  const rule = new Rule(scope, 'FailedBackups', {
    description: 'Backups of tables, and copies of backups, that ended without success',
    eventPattern: {
      source: ['aws.backup'],
      detailType: ['Backup Job State Change', 'Copy Job State Change'],
      detail: { state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'], resourceArn: tableArns },
    },
  });
  const text = [
    `${EventField.fromPath('$.detail-type')} to ${EventField.fromPath('$.detail.state')}`,
    `of the table ${EventField.fromPath('$.detail.resourceArn')}.`,
    'Impact: None for warehouses. The newest backup of this table, or its copy, is older than the settings say.',
    `What to do: ${runbook}#backups`,
  ].join(' ');
  // Without a role, EventBridge would need a topic policy without conditions.
  rule.addTarget(new SnsTopic(topic, { message: RuleTargetInput.fromText(text), authorizeUsingRole: true }));
};
