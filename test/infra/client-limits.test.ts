import { describe, expect, it } from 'vitest';
import { decodeClients } from '../../shared/clients.ts';
import { operations } from '../../shared/operations.ts';
import { onlyMatch } from '../support/assembly.ts';
import { type Deployment, deploymentOf } from './deployment.ts';
import { functionsOf } from './gateway.ts';

type Plan = {
  Throttle: object;
  Quota?: object;
  ApiStages: { ApiId: string; Stage: string; Throttle: object }[];
};
type Key = { Value: string; Enabled: boolean };
type PlanKey = { KeyId: string; KeyType: string; UsagePlanId: string };

const BATCH = `${operations['post-material-stock-balance'].path}/POST`;

/** The plan and the key of each client, in the order of the settings. */
const limitsOf = ({ resources, only }: Deployment) => {
  const plans = resources<Plan>('AWS::ApiGateway::UsagePlan');
  const keys = resources<Key>('AWS::ApiGateway::ApiKey');
  const clients = resources<PlanKey>('AWS::ApiGateway::UsagePlanKey').map(({ properties }) => ({
    plan: onlyMatch(plans, ({ ref }) => ref === properties.UsagePlanId),
    key: onlyMatch(keys, ({ ref }) => ref === properties.KeyId),
  }));
  const stage = only<{ RestApiId: string }>('AWS::ApiGateway::Stage');
  return { clients, stage };
};

const limits = (rate: number, burst: number) => ({ RateLimit: rate, BurstLimit: burst });

describe('the limits of a client', () => {
  const deployment = deploymentOf({
    clientLimits: { rate: 20, perDay: 900, batches: { burst: 4 } },
    clients: [
      'common',
      { name: 'own', username: 'DOMAIN\\own', limits: { burst: 7, perDay: 800, batches: { rate: 0.2 } } },
      { name: 'slow', limits: { rate: 0.5, burst: 3 } },
    ],
  });
  const { clients, stage } = limitsOf(deployment);
  const quota = (limit: number) => ({ Limit: limit, Period: 'DAY' });

  it.each([
    ['the defaults', limitsOf(deploymentOf()), 0, limits(10, 100), limits(1, 10), undefined],
    ['those of all clients', { clients, stage }, 0, limits(20, 100), limits(1, 4), quota(900)],
    ['its own, field by field', { clients, stage }, 1, limits(20, 7), limits(0.2, 4), quota(800)],
    [
      'no higher for batches than for all requests',
      { clients, stage },
      2,
      limits(0.5, 3),
      limits(0.5, 3),
      quota(900),
    ],
  ])('are %s', (_, of, index, requests, batches, perDay) => {
    const properties = of.clients[index]?.plan.properties;
    expect(properties).toMatchObject({
      Throttle: requests,
      ApiStages: [
        { ApiId: of.stage.properties.RestApiId, Stage: of.stage.ref, Throttle: { [BATCH]: batches } },
      ],
    });
    expect(properties?.Quota).toEqual(perDay);
  });

  it('apply to the API key that the authorizer returns for this client', () => {
    const { CLIENTS = '' } = functionsOf(deployment).authorizer.properties.Environment.Variables;
    expect(clients.map(({ key }) => key.properties.Value)).toEqual(
      decodeClients(CLIENTS).map(({ secret }) => secret.replaceAll('-', '')),
    );
    for (const { key } of clients) {
      // By the developer guide, a key has 20 to 128 characters and is alphanumeric.
      expect(key.properties).toMatchObject({
        Enabled: true,
        Value: expect.stringMatching(/^[A-Za-z0-9]{20,128}$/),
      });
    }
  });

  it('are deployed one client after another, because AWS limits these calls', () => {
    for (const [index, { key, plan }] of clients.entries()) {
      const previous = clients[index - 1];
      expect(key.dependsOn).toEqual(previous ? [previous.key.id] : []);
      expect(plan.dependsOn).toEqual(previous ? expect.arrayContaining([previous.plan.id]) : []);
    }
  });
});
