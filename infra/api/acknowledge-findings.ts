import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

export const acknowledgeFindings = (api: RestApi) =>
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions check every body against its schema and report every fault with its place. A validator of the gateway would refuse the body first, without a place.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The setting firewall adds a web ACL with a rate rule, and the synthesis warns without it. It has no managed rules: those block bodies over 8 to 16 KB, and a common batch has 21 KB.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Every method is behind the Lambda authorizer. The clients are old programs that support HTTP Basic alone and cannot fetch a token from a user pool.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'API Gateway writes its logs with this account-wide role. Its documentation prescribes the policy, and no code of this project runs with the role.',
    },
  );
