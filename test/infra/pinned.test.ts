import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../support/assembly.ts';
import { deploymentOf } from './deployment.ts';

const clients = ['warehouse', 'wms.1'];

/**
 * CloudFormation knows a resource by its logical id. A table with a new id or other keys is a new, empty table, and a
 * secret with a new id or another GenerateSecretString has a new password. An API key with a new id or value exists
 * twice while CloudFormation replaces it, which API Gateway refuses, as it does a second plan for one key. So a line
 * here never changes.
 * The type is pinned, too, because CloudFormation cannot change the type of a table (docs/decisions/0020).
 */
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

it('keeps every pinned key and plan', () => {
  expect(limitsIn({})).toEqual(pinnedLimits);
  expect(limitsIn({ clients: ['another', ...clients] })).toMatchObject(pinnedLimits);
});

it('keeps every pinned table and secret, and has no other', () => {
  const advice = 'Change the code back where a line differs or is missing. Add a new line to pinned.';
  expect(keptBy({}), advice).toEqual(pinned);
});

describe('keeps the same tables and secrets', () => {
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

  it('with one more client, which gets a secret of its own', () => {
    const { Clientae448ac86c, ...others } = keptBy({ clients: ['another', ...clients] });
    expect(Clientae448ac86c).toContain('another');
    expect(others).toEqual(keptBy({}));
  });

  it('with one client fewer, which removes only its secret', () => {
    const { Client733e028fee: _, ...others } = keptBy({});
    expect(keptBy({ clients: ['warehouse'] })).toEqual(others);
  });
});
