import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, sample } from '../deployment.ts';

type Plan = { Throttle: object; Quota?: object; ApiStages: object[] };
type Key = { Value: string };
type PlanKey = { KeyId: string; KeyType: string; UsagePlanId: string };

const BATCH = `${operations['post-material-stock-balance'].path}/POST`;

/** The plan and the key of each client, in the order of the settings. */
const limitsOf = ({ resources }: Deployment) => {
  const plans = resources<Plan>('AWS::ApiGateway::UsagePlan');
  const keys = resources<Key>('AWS::ApiGateway::ApiKey');
  return resources<PlanKey>('AWS::ApiGateway::UsagePlanKey').map(({ properties }) => ({
    plan: onlyMatch(plans, ({ ref }) => ref === properties.UsagePlanId),
    key: onlyMatch(keys, ({ ref }) => ref === properties.KeyId),
  }));
};

const everything = sample('everything');
const clients = limitsOf(everything);
const limits = (rate: number, burst: number) => ({ RateLimit: rate, BurstLimit: burst });
const quota = (limit: number) => ({ Limit: limit, Period: 'DAY' });

describe('the limits of a client', () => {
  it.each([
    ['the defaults', 'default', 0, limits(10, 100), limits(1, 10), undefined],
    ['those of all clients', 'everything', 0, limits(20, 40), limits(2, 4), quota(100_000)],
    ['its own, field by field', 'everything', 1, limits(20, 5), limits(0.1, 4), quota(500)],
    ['no higher for batches', 'everything', 2, limits(0.5, 3), limits(0.5, 3), quota(100_000)],
  ] as const)('are %s', (_, settings, index, requests, batches, perDay) => {
    const deployment = sample(settings);
    const stage = deployment.only<{ RestApiId: string }>('AWS::ApiGateway::Stage');
    const properties = limitsOf(deployment)[index]?.plan.properties;
    expect(properties).toMatchObject({
      Throttle: requests,
      ApiStages: [{ ApiId: stage.properties.RestApiId, Stage: stage.ref, Throttle: { [BATCH]: batches } }],
    });
    expect(properties?.Quota).toEqual(perDay);
  });

  it('apply to a key of 20 to 128 letters and digits, as the developer guide requires', () => {
    for (const { key } of clients) expect(key.properties.Value).toMatch(/^[A-Za-z0-9]{20,128}$/);
  });

  it('are deployed one client after another, because AWS limits these calls', () => {
    for (const [index, { key, plan }] of clients.entries()) {
      const previous = clients[index - 1];
      expect(key.dependsOn).toEqual(previous ? [previous.key.id] : []);
      expect(plan.dependsOn).toEqual(previous ? expect.arrayContaining([previous.plan.id]) : []);
    }
  });
});
