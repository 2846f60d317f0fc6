import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

/** What cdk-nag finds in the API, and why it is as it is. */
export const acknowledgeFindings = (api: RestApi) =>
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions check every body against its schema and name all of its faults with their places. A validator of the gateway would name none, and would stand in front of them.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The managed rules of the firewall block bodies over 8 to 16 KB, and a common batch has 21. Throttling, the authorizer and allowedCidrs guard the stage.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Every method is behind the Lambda authorizer. The clients are programs that know HTTP Basic and cannot be taught to fetch a token from a user pool.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'This is the account-wide role with which API Gateway writes its logs. The policy is the one that the service documents for it, and no code of ours runs under it.',
    },
  );
