import { Aws, CfnResource, Fn } from 'aws-cdk-lib';
import {
  ApiKey,
  CfnUsagePlanKey,
  type Method,
  Period,
  type RestApi,
  UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct, type IConstruct } from 'constructs';
import { slotKey } from '../../shared/clients/plans.ts';
import type { Plan } from '../settings/plan-settings.ts';

/** The UUID in arn:partition:cloudformation:region:account:stack/NAME/UUID, without hyphens. */
export const stackUuid = () => Fn.join('', Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));

/** API Gateway counts each key of a plan by itself, so each slot has a key. */
export const addPlans = (scope: Construct, api: RestApi, plans: readonly Plan[], batchMethod: Method) => {
  const group = new Construct(scope, 'Plans');
  const chain = chainOf();
  for (const plan of plans) {
    const usagePlan = usagePlanOf(group, api, plan, batchMethod);
    pinLogicalId(usagePlan, `Plan${plan.name}`);
    chain('plan', usagePlan);
    for (let slot = 1; slot <= plan.slots; slot += 1) {
      const id = `Slot${plan.name}x${slot}`;
      const key = new ApiKey(group, id, {
        description: `Counts the requests of slot ${slot} of the plan ${plan.name}. No client sends or knows it.`,
        value: slotKey(stackUuid(), plan.name, slot),
      });
      const planKey = new CfnUsagePlanKey(group, `${id}InPlan`, {
        keyId: key.keyId,
        keyType: 'API_KEY',
        usagePlanId: usagePlan.usagePlanId,
      });
      // A new logical id would make CloudFormation create a second key of this value first, and API Gateway refuses that.
      pinLogicalId(key, id);
      planKey.overrideLogicalId(`${id}InPlan`);
      chain('key', key);
      chain('planKey', planKey);
    }
  }
};

const usagePlanOf = (
  group: Construct,
  api: RestApi,
  { name, rate, burst, perDay, batches }: Plan,
  batchMethod: Method,
) =>
  new UsagePlan(group, `Plan-${name}`, {
    description: `The limits of each slot of the plan ${name}`,
    throttle: { rateLimit: rate, burstLimit: burst },
    apiStages: [
      {
        stage: api.deploymentStage,
        throttle: [
          {
            method: batchMethod,
            throttle: {
              rateLimit: Math.min(batches.rate, rate),
              burstLimit: Math.min(batches.burst, burst),
            },
          },
        ],
      },
    ],
    ...(perDay === undefined ? {} : { quota: { limit: perDay, period: Period.DAY } }),
  });

/**
 * Makes each resource of a kind wait for the one before. API Gateway accepts one new plan key at a time in a region, 5 new keys a
 * second, and one change of a plan in 20 seconds.
 */
const chainOf = () => {
  const last = new Map<string, IConstruct>();
  return (kind: 'plan' | 'key' | 'planKey', resource: IConstruct) => {
    const previous = last.get(kind);
    if (previous) resource.node.addDependency(previous);
    last.set(kind, resource);
  };
};

/** Without a fixed logical id, moved code changes the id, and CloudFormation replaces the resource. */
const pinLogicalId = ({ node }: IConstruct, logicalId: string) => {
  if (CfnResource.isCfnResource(node.defaultChild)) node.defaultChild.overrideLogicalId(logicalId);
};
