import { Fn } from 'aws-cdk-lib';
import { ApiKey, type Method, Period, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { logicalIdOf, pinLogicalId } from '../data/logical-ids.ts';
import type { ClientLimits, ClientSettings } from '../settings/client-settings.ts';

export type LimitedClient = {
  client: ClientSettings;
  /** The name of its secret, which is unique in the account and region, never changes, and is no secret itself. */
  nameInArn: string;
};

type ClientLimitsProps = {
  clients: readonly LimitedClient[];
  common: ClientLimits;
  batches: Method;
};

/** Limits each client by a usage plan of its own. The authorizer's answer has the value of the client's key. */
export const addClientLimits = (
  scope: Construct,
  api: RestApi,
  { clients, common, batches }: ClientLimitsProps,
) => {
  const limits = new Construct(scope, 'ClientLimits');
  let previous: { key: ApiKey; plan: UsagePlan } | undefined;
  for (const { client, nameInArn } of clients) {
    const { rate, burst, perDay } = { ...common, ...client.limits };
    const batch = { ...common.batches, ...client.limits?.batches };
    const id = logicalIdOf(client.name);
    // A key has no name here, so CloudFormation generates one.
    const key = new ApiKey(limits, `Key-${client.name}`, {
      description: `Counts the requests of the client ${client.name}. No client sends or knows it.`,
      // AWS documents letters and digits alone. The authorizer leaves out the hyphens too.
      value: Fn.join('', Fn.split('-', nameInArn)),
    });
    const plan = new UsagePlan(limits, `Plan-${client.name}`, {
      description: `The limits of the client ${client.name}`,
      throttle: { rateLimit: rate, burstLimit: burst },
      apiStages: [
        {
          stage: api.deploymentStage,
          throttle: [
            {
              method: batches,
              // A batch also counts as a request, so more than the limit of requests has no effect.
              throttle: { rateLimit: Math.min(batch.rate, rate), burstLimit: Math.min(batch.burst, burst) },
            },
          ],
        },
      ],
      ...(perDay === undefined ? {} : { quota: { limit: perDay, period: Period.DAY } }),
    });
    // CloudFormation cannot replace a key or its place in a plan: it makes the new one before it deletes the old one.
    pinLogicalId(key, `${id}Key`);
    pinLogicalId(plan, `${id}Plan`);
    plan.addApiKey(key, { overrideLogicalId: `${id}PlanKey` });
    // API Gateway accepts 5 new keys a second and one change of a plan in 20 seconds, so they come one after another.
    if (previous) {
      key.node.addDependency(previous.key);
      plan.node.addDependency(previous.plan);
    }
    previous = { key, plan };
  }
};
