import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** `enforceSSL` gives the topic a policy of its own, which replaces the default one. So CloudWatch needs a permission. */
export const addTopic = (scope: Construct, displayName: string) => {
  const topic = new Topic(scope, 'Alarms', { displayName, enforceSSL: true });
  const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`;
  allowPublishing(topic, 'cloudwatch.amazonaws.com', alarms);
  return topic;
};

export const allowPublishing = (topic: Topic, service: string, sourceArn: string) =>
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
