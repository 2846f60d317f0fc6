import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowPublishing } from './allow-publishing.ts';

type BudgetProps = { stackName: string; topic: Topic; budgetPerMonth: number };

/** Sends a message to the topic when the costs of this stack pass a limit, or will pass it by the end of the month. */
export const addBudget = (scope: Construct, { stackName, topic, budgetPerMonth }: BudgetProps) => {
  const budgets = `arn:${Aws.PARTITION}:budgets::${Aws.ACCOUNT_ID}:*`;
  allowPublishing(topic, 'budgets.amazonaws.com', budgets);
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
