import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { decodePlans, slotKey } from '../../../shared/clients/plans.ts';
import { operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, functionsOf, sample } from '../deployment.ts';

type Plan = { Throttle: object; Quota?: object; ApiStages: object[] };
type Key = { Value: string; Enabled: boolean };
type PlanKey = { KeyId: string; KeyType: string; UsagePlanId: string };

const BATCH = `${operations['post-material-stock-balance'].path}/POST`;

const plansOf = ({ resources }: Deployment) => resources<Plan>('AWS::ApiGateway::UsagePlan');
const keysOf = ({ resources }: Deployment) => resources<Key>('AWS::ApiGateway::ApiKey');
const planKeysOf = ({ resources }: Deployment) => resources<PlanKey>('AWS::ApiGateway::UsagePlanKey');

const everything = sample('everything');
const largest = sample('largest');
const limits = (rate: number, burst: number) => ({ RateLimit: rate, BurstLimit: burst });

describe('a plan', () => {
  it.each([
    ['standard', 'default', limits(10, 100), limits(1, 10), undefined],
    ['slow', 'default', limits(0.1, 1), limits(0.1, 1), undefined],
    ['standard', 'everything', limits(20, 40), limits(2, 10), { Limit: 100_000, Period: 'DAY' }],
    // A batch is also a request, so its limits are no higher.
    ['capped', 'everything', limits(0.5, 3), limits(0.5, 3), undefined],
    ['usual', 'everything', limits(10, 100), limits(1, 10), undefined],
  ] as const)(
    '%s has the limits of the settings %s, for all requests and for batches',
    (name, settings, ...expected) => {
      const [requests, batches, quota] = expected;
      const deployment = sample(settings);
      const ApiId = deployment.only('AWS::ApiGateway::RestApi').ref;
      const Stage = deployment.only('AWS::ApiGateway::Stage').ref;
      const { properties } = onlyMatch(plansOf(deployment), ({ id }) => id === `Plan${name}`);
      expect(properties).toMatchObject({
        Throttle: requests,
        ApiStages: [{ ApiId, Stage, Throttle: { [BATCH]: batches } }],
      });
      expect(properties.Quota).toEqual(quota);
    },
  );

  it.each([everything, largest])('has a key for each slot that the authorizer can name', (deployment) => {
    const { PLANS = '', STACK_UUID = '' } =
      functionsOf(deployment).authorizer.properties.Environment.Variables;
    const expected = decodePlans(PLANS).flatMap(({ name, slots }) =>
      Array.from({ length: slots }, (_, index) => `Plan${name} ${slotKey(STACK_UUID, name, index + 1)}`),
    );
    const keys = keysOf(deployment);
    const found = planKeysOf(deployment).map(({ properties: { KeyId, KeyType, UsagePlanId } }) => {
      expect(KeyType).toBe('API_KEY');
      const plan = onlyMatch(plansOf(deployment), ({ ref }) => ref === UsagePlanId);
      const { Value, Enabled } = onlyMatch(keys, ({ ref }) => ref === KeyId).properties;
      expect(Enabled).toBe(true);
      // The developer guide requires 20 to 128 letters and digits.
      expect(Value).toMatch(/^[A-Za-z0-9]{20,128}$/);
      return `${plan.id} ${Value}`;
    });
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(new Set(found).size).toBe(keys.length);
    expect(deployment.outputs['Plans']).toBe(PLANS);
  });
});

it.each([
  ['the changes of plans, and the keys of plans', ['UsagePlan', 'UsagePlanKey']],
  ['the keys', ['ApiKey']],
])('%s each wait for the one before, because AWS refuses several at a time', (_, types) => {
  const resources = types.flatMap((type) => largest.resources(`AWS::ApiGateway::${type}`));
  const ids = resources.map(({ id }) => id);
  const before = resources.map(({ dependsOn }) => dependsOn.filter((id) => ids.includes(id)));
  const [first, ...others] = before.toSorted((one, other) => one.length - other.length);
  expect(first).toEqual([]);
  expect(others.filter(({ length }) => length !== 1)).toEqual([]);
  // No two wait for the same one.
  expect(new Set(before.flat()).size).toBe(others.length);
});

it('each plan waits for the stage, and no resource waits for itself through others', () => {
  // Throws if one does.
  const template = Template.fromJSON(largest.template);
  const Stage = { Ref: largest.only('AWS::ApiGateway::Stage').id };
  template.allResourcesProperties('AWS::ApiGateway::UsagePlan', { ApiStages: [{ Stage }] });
});

it('the largest deployment stays under the 500 resources and the 1 MB that CloudFormation accepts', () => {
  expect([plansOf(largest).length, keysOf(largest).length]).toEqual([10, 170]);
  expect(Object.keys(Object(largest.template['Resources'])).length).toBeLessThan(500);
  expect(JSON.stringify(largest.template).length).toBeLessThan(1_000_000);
});
