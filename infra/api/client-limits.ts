import { Fn } from 'aws-cdk-lib';
import { ApiKey, type Method, Period, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { type Credentials, logicalIdOf, pinLogicalId } from '../data/credentials.ts';
import type { ClientLimits } from '../settings/client-settings.ts';

export type LimitedClient = Pick<Credentials['secretNames'][number], 'client' | 'nameInArn'>;

type ClientLimitsProps = {
  clients: readonly LimitedClient[];
  commonLimits: ClientLimits;
  batchMethod: Method;
};

export const addClientLimits = (
  scope: Construct,
  api: RestApi,
  { clients, commonLimits, batchMethod }: ClientLimitsProps,
) => {
  const limits = new Construct(scope, 'ClientLimits');
  let previous: { key: ApiKey; plan: UsagePlan } | undefined;
  for (const { client, nameInArn } of clients) {
    const { rate, burst, perDay } = { ...commonLimits, ...client.limits };
    const batchLimits = { ...commonLimits.batches, ...client.limits?.batches };
    const id = logicalIdOf(client.name);
    const key = new ApiKey(limits, `Key-${client.name}`, {
      description: `Counts the requests of the client ${client.name}. No client sends or knows it.`,
      // AWS documents only letters and digits for a key, so the authorizer leaves out the hyphens too.
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
              method: batchMethod,
              throttle: {
                rateLimit: Math.min(batchLimits.rate, rate),
                burstLimit: Math.min(batchLimits.burst, burst),
              },
            },
          ],
        },
      ],
      ...(perDay === undefined ? {} : { quota: { limit: perDay, period: Period.DAY } }),
    });
    // A new logical id would make CloudFormation create a second key of this value first, and API Gateway refuses that.
    pinLogicalId(key, `${id}Key`);
    pinLogicalId(plan, `${id}Plan`);
    plan.addApiKey(key, { overrideLogicalId: `${id}PlanKey` });
    // One after the other: API Gateway accepts 5 new keys a second, and one change of a plan in 20 seconds.
    if (previous) {
      key.node.addDependency(previous.key);
      plan.node.addDependency(previous.plan);
    }
    previous = { key, plan };
  }
};
