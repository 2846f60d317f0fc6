import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import type { WarehouseApi } from './rest-api.ts';

/**
 * Turns away addresses that ask too often. There is this one rule on purpose: the managed rule sets look into bodies
 * and block those over 8 to 16 KB, and a common batch has 21.
 */
export const addFirewall = (
  scope: Construct,
  api: WarehouseApi,
  { requestsPerFiveMinutes }: NonNullable<Settings['firewall']>,
) => {
  const firewall = new Construct(scope, 'Firewall');
  const seen = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    // A sample would show the headers of a request, its credentials among them.
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(firewall, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: seen('Firewall'),
    rules: [
      {
        name: 'TooManyRequests',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            evaluationWindowSec: 300,
            limit: requestsPerFiveMinutes,
          },
        },
        visibilityConfig: seen('TooManyRequests'),
      },
    ],
  });
  new CfnWebACLAssociation(firewall, 'Association', {
    resourceArn: api.api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
};
