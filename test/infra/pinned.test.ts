import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../support/assembly.ts';
import { deploymentOf } from './deployment.ts';

const clients = ['warehouse', 'wms.1'];

/**
 * CloudFormation knows a resource by its logical id. A table with a new id or other keys is a new, empty table, and a
 * secret with a new id or another GenerateSecretString has a new password. So a line here never changes.
 */
const pinned: Record<string, string> = {
  TablesMaterialCodesDD5163A6: 'MaterialCode HASH S',
  TablesPurchaseOrders4FFD68E7: 'PurchaseOrder HASH S',
  TablesChangeTimestamps7D285AAF: 'Client HASH S, Timestamp RANGE S',
  TablesBalanceSnapshotsF7A3B2DD: 'Client HASH S, SnapshotId RANGE S',
  Clientae1fd358c7:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"warehouse\\"}"}',
  Client733e028fee:
    '{"ExcludePunctuation":true,"GenerateStringKey":"password","PasswordLength":32,"SecretStringTemplate":"{\\"username\\":\\"wms.1\\"}"}',
};

type Table = {
  KeySchema: { AttributeName: string; KeyType: string }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
};
type Secret = { GenerateSecretString: Record<string, unknown> };

/** Every table with its keys, and every secret with its GenerateSecretString, by logical id. */
const keptBy = (settings: object): Record<string, string> => {
  const { resources } = deploymentOf({ clients, ...settings });
  const tables = resources<Table>('AWS::DynamoDB::Table').map(({ id, properties }) => {
    const { KeySchema, AttributeDefinitions } = properties;
    const typeOf = (name: string) =>
      onlyMatch(AttributeDefinitions, ({ AttributeName }) => AttributeName === name).AttributeType;
    const keys = KeySchema.map(
      ({ AttributeName, KeyType }) => `${AttributeName} ${KeyType} ${typeOf(AttributeName)}`,
    );
    return [id, keys.join(', ')];
  });
  const secrets = resources<Secret>('AWS::SecretsManager::Secret').map(({ id, properties }) => {
    const sorted = Object.entries(properties.GenerateSecretString).toSorted();
    return [id, JSON.stringify(Object.fromEntries(sorted))];
  });
  return Object.fromEntries([...tables, ...secrets]);
};

it('keeps every pinned table and secret, and has no other', () => {
  const found = keptBy({});
  const lost = Object.keys(pinned).filter((id) => found[id] !== pinned[id]);
  const changes = lost.map((id) => `  ${id}: '${pinned[id]}' is now ${found[id] ?? 'missing'}`);
  expect(
    lost,
    ['A deployment would lose what these hold. Change the code back:', ...changes].join('\n'),
  ).toEqual([]);
  const added = Object.entries(found).filter(([id]) => !(id in pinned));
  const lines = added.map(([id, kept]) => `  ${id}: '${kept}',`);
  expect(added, ['An addition is fine. Accept it by adding to pinned:', ...lines].join('\n')).toEqual([]);
});

describe('keeps the same tables and secrets', () => {
  const domain = {
    name: 'wms.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
  };

  it.each([
    ['another stack name', { stackName: 'Warehouse-North' }],
    ['ephemeral', { ephemeral: true }],
    ['another overlap of passwords', { credentialOverlapHours: 0 }],
    ['another throttle', { throttle: { ratePerSecond: 1, burst: 1 } }],
    ['allowed addresses', { allowedCidrs: ['203.0.113.0/24'] }],
    ['another log retention', { logRetentionDays: 7 }],
    ['another snapshot retention', { snapshotRetentionDays: 30 }],
    ['a domain', { domain }],
    ['another order of the clients', { clients: clients.toReversed() }],
    ['clients written as objects', { clients: clients.map((name) => ({ name })) }],
  ])('with %s', (_, settings) => {
    expect(keptBy(settings)).toEqual(keptBy({}));
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
