import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowPublishing } from './topic.ts';

type BudgetProps = { stackName: string; topic: Topic; budgetPerMonth: number };

export const addBudget = (scope: Construct, { stackName, topic, budgetPerMonth }: BudgetProps) => {
  const budgets = `arn:${Aws.PARTITION}:budgets::${Aws.ACCOUNT_ID}:*`;
  allowPublishing(topic, 'budgets.amazonaws.com', budgets);
  const budget = new CfnBudget(scope, 'Budget', {
    budget: {
      // The name must be unique in the account, and other regions may have a stack of this name.
      budgetName: `${stackName}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budgetPerMonth, unit: 'USD' },
      // Counts only after the account has activated the cost allocation tag `service`.
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
