import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../support/assembly.ts';
import { deploymentOf } from './deployment.ts';

const clients = ['warehouse', 'wms.1'];

// A line here never changes, because CloudFormation replaces a resource whose logical id changes.
// A table with a new id or other keys is new and empty, and CloudFormation cannot change its type.
// A secret with a new id or another GenerateSecretString has a new password.
// API Gateway refuses a second key with the same value and a second plan for one key, so neither can be replaced.
const pinned: Record<string, string> = {
  TablesMaterialCodesDD5163A6: 'GlobalTable MaterialCode HASH S',
  TablesPurchaseOrders4FFD68E7: 'GlobalTable PurchaseOrder HASH S',
  TablesChangeTimestamps7D285AAF: 'GlobalTable Client HASH S, Timestamp RANGE S',
  TablesBalanceSnapshotsF7A3B2DD: 'GlobalTable Client HASH S, SnapshotId RANGE S',
  Clientae1fd358c7:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"warehouse\\"}"}',
  Client733e028fee:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"wms.1\\"}"}',
};

/** The API key of each client, its usage plan, and the link between the two. */
const pinnedLimits: Record<string, string> = {
  Clientae1fd358c7Key: 'Clientae1fd358c7AbCdEfGhIjKlmNoPqR',
  Client733e028feeKey: 'Client733e028feeAbCdEfGhIjKlmNoPqR',
  Clientae1fd358c7Plan: 'UsagePlan',
  Client733e028feePlan: 'UsagePlan',
  Clientae1fd358c7PlanKey: 'Clientae1fd358c7Key Clientae1fd358c7Plan',
  Client733e028feePlanKey: 'Client733e028feeKey Client733e028feePlan',
};

type Table = {
  KeySchema: { AttributeName: string; KeyType: string }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
};
type Secret = { GenerateSecretString: Record<string, unknown> };

/** Every table with its keys, and every secret with its GenerateSecretString, by logical id. */
const keptBy = (settings: object): Record<string, string> => {
  const { resources } = deploymentOf({ clients, ...settings });
  const tablesOf = (type: string) =>
    resources<Table>(`AWS::DynamoDB::${type}`).map((table) => ({ type, ...table }));
  const tables = ['Table', 'GlobalTable'].flatMap(tablesOf).map(({ id, type, properties }) => {
    const { KeySchema, AttributeDefinitions } = properties;
    const typeOf = (name: string) =>
      onlyMatch(AttributeDefinitions, ({ AttributeName }) => AttributeName === name).AttributeType;
    const keys = KeySchema.map(
      ({ AttributeName, KeyType }) => `${AttributeName} ${KeyType} ${typeOf(AttributeName)}`,
    );
    return [id, `${type} ${keys.join(', ')}`];
  });
  const secrets = resources<Secret>('AWS::SecretsManager::Secret').map(({ id, properties }) => {
    const sorted = Object.entries(properties.GenerateSecretString).toSorted();
    return [id, JSON.stringify(Object.fromEntries(sorted))];
  });
  return Object.fromEntries([...tables, ...secrets]);
};

/** Every API key with its value and name, every usage plan, and every link between the two. */
const limitsIn = (settings: object): Record<string, string> => {
  const { resources } = deploymentOf({ clients, ...settings });
  const namesOf = (type: string, nameOf: (properties: Record<string, unknown>) => string) =>
    resources<Record<string, unknown>>(`AWS::ApiGateway::${type}`).map(({ id, properties }) => [
      id,
      nameOf(properties),
    ]);
  return Object.fromEntries([
    ...namesOf('ApiKey', ({ Value, Name = '' }) => `${Value}${Name}`),
    ...namesOf('UsagePlan', () => 'UsagePlan'),
    ...namesOf('UsagePlanKey', ({ KeyId, UsagePlanId }) => `${KeyId} ${UsagePlanId}`),
  ]);
};

it('the template has every pinned key and plan', () => {
  expect(limitsIn({})).toEqual(pinnedLimits);
  expect(limitsIn({ clients: ['another', ...clients] })).toMatchObject(pinnedLimits);
});

it('the template has every pinned table and secret, and no others', () => {
  const advice = 'Change the code back where a line differs or is missing. Add a new line to pinned.';
  expect(keptBy({}), advice).toEqual(pinned);
});

describe('the tables and secrets stay the same', () => {
  it('with every other setting changed, and the clients written as objects in another order', () => {
    const changed = {
      stackName: 'Warehouse-North',
      ephemeral: true,
      credentialOverlapHours: 0,
      throttle: { ratePerSecond: 1, burst: 1 },
      allowedCidrs: ['203.0.113.0/24'],
      logRetentionDays: 7,
      snapshotRetentionDays: 30,
      snapshotTableClass: 'STANDARD_INFREQUENT_ACCESS',
      warmThroughput: { writeUnitsPerSecond: 8_000 },
      backup: { dailyFor: 35, monthlyFor: 12 },
      domain: {
        name: 'wms.example.com',
        certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f',
      },
      clients: clients.toReversed().map((name) => ({ name })),
    };
    expect(keptBy(changed)).toEqual(keptBy({}));
  });

  it('with one more client, which gets one more secret', () => {
    const { Clientae448ac86c, ...others } = keptBy({ clients: ['another', ...clients] });
    expect(Clientae448ac86c).toContain('another');
    expect(others).toEqual(keptBy({}));
  });

  it('with one client fewer, and only its secret is removed', () => {
    const { Client733e028fee: _, ...others } = keptBy({});
    expect(keptBy({ clients: ['warehouse'] })).toEqual(others);
  });
});
