import { Aws, type Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { warn } from '../warn.ts';
import type { WarehouseApi } from './rest-api.ts';

/** Has no managed rules, because they block bodies over 8 to 16 KB, and a common batch has 21 KB. */
export const addFirewall = (
  scope: Construct,
  api: WarehouseApi,
  stackName: string,
  { requestsPerFiveMinutes }: NonNullable<Settings['firewall']>,
) => {
  const firewall = new Construct(scope, 'Firewall');
  const visibility = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    // A sample would store the headers of a request, with its credentials.
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(firewall, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    // The name keeps the metrics apart from the metrics of other firewalls in the account.
    visibilityConfig: visibility(stackName),
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
        visibilityConfig: visibility('TooManyRequests'),
      },
    ],
  });
  const association = new CfnWebACLAssociation(firewall, 'Association', {
    resourceArn: api.restApi.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // For some minutes, AWS WAF can refuse a new stage, and a first deployment would fail.
  if (api.lastSlot) association.addResourceDependency(api.lastSlot);
};

/** Decision 0006 has the reason for the number 3000. */
const NO_FIREWALL_TEXT =
  'Even without credentials, one address can flood the service until no warehouse is served. Set firewall.requestsPerFiveMinutes (recommended: 3000), or limit each address by other means.';

export const recommendFirewall = (api: WarehouseApi) => warn(api, 'no-firewall', NO_FIREWALL_TEXT);

export const blockedRequests = (stackName: string, period: Duration) =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: stackName, Rule: 'ALL', Region: Aws.REGION },
    statistic: Stats.SUM,
    period,
  });
