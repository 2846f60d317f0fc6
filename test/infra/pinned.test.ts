import { describe, expect, it } from 'vitest';
import { templateOf } from './template.ts';

/**
 * What a deployment has, it keeps by these. CloudFormation knows a resource by its logical id: a table with another
 * one, or with other keys, is a new and empty table, and the old one stays behind with all that it holds. A secret
 * with another one, or with any other property of GenerateSecretString, has a new password, and the warehouse is
 * locked out.
 *
 * So whoever makes this test fail changes the code back, and not the test.
 */
const tables = {
  TablesMaterialCodesDD5163A6: {
    KeySchema: [{ AttributeName: 'MaterialCode', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'MaterialCode', AttributeType: 'S' }],
  },
  TablesPurchaseOrders4FFD68E7: {
    KeySchema: [{ AttributeName: 'PurchaseOrder', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'PurchaseOrder', AttributeType: 'S' }],
  },
  TablesChangeTimestamps7D285AAF: {
    KeySchema: [
      { AttributeName: 'Client', KeyType: 'HASH' },
      { AttributeName: 'Timestamp', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'Client', AttributeType: 'S' },
      { AttributeName: 'Timestamp', AttributeType: 'S' },
    ],
  },
  TablesBalanceSnapshotsF7A3B2DD: {
    KeySchema: [
      { AttributeName: 'Client', KeyType: 'HASH' },
      { AttributeName: 'SnapshotId', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'Client', AttributeType: 'S' },
      { AttributeName: 'SnapshotId', AttributeType: 'S' },
    ],
  },
};

const secrets = {
  Clientae1fd358c7: {
    SecretStringTemplate: '{"username":"warehouse"}',
    GenerateStringKey: 'password',
    PasswordLength: 32,
    ExcludePunctuation: true,
  },
  Client733e028fee: {
    SecretStringTemplate: '{"username":"wms.1"}',
    GenerateStringKey: 'password',
    PasswordLength: 32,
    ExcludePunctuation: true,
  },
};

const clients = ['warehouse', 'wms.1'];

const tablesOf = (settings: unknown) =>
  Object.fromEntries(
    Object.entries(templateOf(settings).findResources('AWS::DynamoDB::Table')).map(([id, { Properties }]) => {
      const { KeySchema, AttributeDefinitions } = Properties;
      return [id, { KeySchema, AttributeDefinitions }];
    }),
  );

const secretsOf = (settings: unknown) =>
  Object.fromEntries(
    Object.entries(templateOf(settings).findResources('AWS::SecretsManager::Secret')).map(
      ([id, { Properties }]) => [id, Properties.GenerateSecretString],
    ),
  );

describe('what a deployment keeps its contents by', () => {
  it('is pinned for all tables', () => {
    expect(tablesOf({ clients })).toEqual(tables);
  });

  it('is pinned for the password of each client', () => {
    expect(secretsOf({ clients })).toEqual(secrets);
  });
});

describe('what a deployment keeps its contents by is the same with', () => {
  const domain = {
    name: 'wms.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
  };

  it.each([
    ['another name of the stack', { stackName: 'Warehouse-North' }],
    ['ephemeral', { ephemeral: true }],
    ['another overlap of credentials', { credentialOverlapHours: 0 }],
    ['another throttle', { throttle: { ratePerSecond: 1, burst: 1 } }],
    ['another firewall', { allowedCidrs: ['203.0.113.0/24'] }],
    ['another retention of logs', { logRetentionDays: 7 }],
    ['another retention of snapshots', { snapshotRetentionDays: 30 }],
    ['a domain', { domain }],
    ['another order of the clients', { clients: clients.toReversed() }],
    ['clients written as objects', { clients: clients.map((name) => ({ name })) }],
  ])('%s', (_, settings) => {
    expect(tablesOf({ clients, ...settings })).toEqual(tables);
    expect(secretsOf({ clients, ...settings })).toEqual(secrets);
  });

  it('one client more', () => {
    const settings = { clients: ['another', ...clients] };
    expect(tablesOf(settings)).toEqual(tables);
    expect(secretsOf(settings)).toMatchObject(secrets);
    expect(Object.keys(secretsOf(settings))).toHaveLength(clients.length + 1);
  });

  it('one client fewer', () => {
    const { Clientae1fd358c7 } = secrets;
    expect(secretsOf({ clients: ['warehouse'] })).toEqual({ Clientae1fd358c7 });
  });
});
