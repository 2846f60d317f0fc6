import type { CfnResource } from 'aws-cdk-lib';
import { CfnApiKey, CfnUsagePlan, CfnUsagePlanKey, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { slotKey } from '../../shared/clients/plans.ts';
import { operations } from '../../shared/operations.ts';
import type { Plan } from '../settings/plan-settings.ts';
import { compactStackUuid } from '../stack-uuid.ts';

/** API Gateway counts each key of a plan by itself, so each slot has a key. Returns the last slot, which waits for all others. */
export const addPlans = (scope: Construct, api: RestApi, plans: readonly Plan[]) => {
  const group = new Construct(scope, 'Plans');
  // AWS accepts one new plan key at a time in a region, one change of a plan in 20 seconds, and 5 new keys a second.
  const pinPlan = pinInTurn();
  const pinKey = pinInTurn();
  let lastSlot: CfnResource | undefined;
  for (const plan of plans) {
    const usagePlan = new CfnUsagePlan(group, `Plan${plan.name}`, limitsOf(plan, api));
    pinPlan(usagePlan);
    for (let slot = 1; slot <= plan.slots; slot += 1) {
      const id = `Slot${plan.name}x${slot}`;
      const key = new CfnApiKey(group, id, {
        description: `Counts the requests of slot ${slot} of the plan ${plan.name}. No client sends or knows it.`,
        enabled: true,
        value: slotKey(compactStackUuid(), plan.name, slot),
      });
      pinKey(key);
      lastSlot = new CfnUsagePlanKey(group, `${id}InPlan`, {
        keyId: key.ref,
        keyType: 'API_KEY',
        usagePlanId: usagePlan.ref,
      });
      pinPlan(lastSlot);
    }
  }
  return lastSlot;
};

const BATCH = operations['post-material-stock-balance'];

const limitsOf = ({ name, rate, burst, perDay, batches }: Plan, api: RestApi) => ({
  description: `The limits of each slot of the plan ${name}`,
  throttle: { rateLimit: rate, burstLimit: burst },
  apiStages: [
    {
      apiId: api.restApiId,
      stage: api.deploymentStage.stageName,
      throttle: {
        [`${BATCH.path}/${BATCH.method}`]: {
          rateLimit: Math.min(batches.rate, rate),
          burstLimit: Math.min(batches.burst, burst),
        },
      },
    },
  ],
  ...(perDay === undefined ? {} : { quota: { limit: perDay, period: 'DAY' } }),
});

/**
 * Each resource waits for the previous resource. The id is also the logical id: with a new logical id, CloudFormation would create
 * a second key with the same value before it deletes the first key. API Gateway would refuse the second key.
 */
const pinInTurn = () => {
  let previous: CfnResource | undefined;
  return (resource: CfnResource) => {
    resource.overrideLogicalId(resource.node.id);
    if (previous) resource.addResourceDependency(previous);
    previous = resource;
  };
};
