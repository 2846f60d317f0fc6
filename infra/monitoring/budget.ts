import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

type BudgetProps = { stackName: string; topic: Topic; budgetPerMonth: number };

/** Sends a message to the topic when the costs of this stack pass a limit, or will pass it by the end of the month. */
export const addBudget = (scope: Construct, { stackName, topic, budgetPerMonth }: BudgetProps) => {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('budgets.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': `arn:${Aws.PARTITION}:budgets::${Aws.ACCOUNT_ID}:*` },
      },
    }),
  );
  const budget = new CfnBudget(scope, 'Budget', {
    budget: {
      // Unique in the account, where other regions may have a stack of this name.
      budgetName: `${stackName}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budgetPerMonth, unit: 'USD' },
      // The tag service of every resource. Only an activated tag is counted.
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
  // A dependency on the topic includes its policy. Without the policy, a message of the budget would be refused.
  budget.node.addDependency(topic);
};
