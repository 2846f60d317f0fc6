import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';

type Table = {
  KeySchema: { AttributeName: string }[];
  BillingMode: string;
  PointInTimeRecoverySpecification: unknown;
  DeletionProtectionEnabled: boolean;
  TableName?: string;
  TimeToLiveSpecification?: unknown;
};

const TABLE = 'AWS::DynamoDB::Table';
const SECRET = 'AWS::SecretsManager::Secret';

const deployment = deploymentOf({ clients: ['warehouse', { name: 'wms.1', username: 'DOMAIN\\кладовщик' }] });
const ephemeral = deploymentOf({ ephemeral: true });
const tables = deployment.resources<Table>(TABLE);
const secrets = deployment.resources<Record<string, unknown>>(SECRET);
const keysOf = ({ KeySchema }: Table) => KeySchema.map(({ AttributeName }) => AttributeName).join();

describe('the tables', () => {
  it('are four', () => {
    expect(tables.map(({ properties }) => keysOf(properties)).toSorted()).toEqual([
      'Client,SnapshotId',
      'Client,Timestamp',
      'MaterialCode',
      'PurchaseOrder',
    ]);
  });

  it('are paid by request, can be put back to any point in time, and have generated names', () => {
    for (const { id, properties } of tables) {
      expect(properties.BillingMode, id).toBe('PAY_PER_REQUEST');
      expect(properties.PointInTimeRecoverySpecification, id).toEqual({
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: 35,
      });
      expect(properties, id).not.toHaveProperty('TableName');
    }
  });

  it('stay when the stack goes, and are protected from deletion', () => {
    for (const { id, properties, deletionPolicy } of tables) {
      expect(deletionPolicy, id).toBe('Retain');
      expect(properties.DeletionProtectionEnabled, id).toBe(true);
    }
  });

  it('go with a stack that is ephemeral', () => {
    const own = ephemeral.resources<Table>(TABLE);
    expect(own).toHaveLength(4);
    for (const { id, properties, deletionPolicy } of own) {
      expect(deletionPolicy, id).toBe('Delete');
      expect(properties.DeletionProtectionEnabled, id).toBe(false);
    }
  });

  it('let snapshots expire by ExpiresAt, and nothing else', () => {
    const expiring = tables.filter(({ properties }) => properties.TimeToLiveSpecification);
    expect(expiring.map(({ properties }) => keysOf(properties))).toEqual(['Client,SnapshotId']);
    expect(expiring[0]?.properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'ExpiresAt',
      Enabled: true,
    });
  });
});

describe('the secrets', () => {
  it('are one for each client, with its user name and a generated password', () => {
    expect(secrets.map(({ properties }) => properties)).toMatchObject([
      {
        Description: expect.stringMatching(/ warehouse$/),
        GenerateSecretString: {
          SecretStringTemplate: '{"username":"warehouse"}',
          GenerateStringKey: 'password',
        },
      },
      {
        Description: expect.stringMatching(/ wms\.1$/),
        GenerateSecretString: {
          SecretStringTemplate: '{"username":"DOMAIN\\\\кладовщик"}',
          GenerateStringKey: 'password',
        },
      },
    ]);
  });

  it('have no value in the template, and none is read into it', () => {
    for (const { id, properties } of secrets) expect(properties, id).not.toHaveProperty('SecretString');
    expect(JSON.stringify(deployment.template)).not.toContain('{{resolve:');
  });

  it('have generated names', () => {
    for (const { id, properties } of secrets) expect(properties, id).not.toHaveProperty('Name');
  });

  it('stay when the stack goes, and go with one that is ephemeral', () => {
    expect(secrets.map(({ deletionPolicy }) => deletionPolicy)).toEqual(['Retain', 'Retain']);
    expect(ephemeral.resources(SECRET).map(({ deletionPolicy }) => deletionPolicy)).toEqual(['Delete']);
  });

  it('may be of clients with the names of JavaScript’s own properties', () => {
    const names = ['__proto__', 'constructor', 'toString', 'Default', 'Resource', '.'];
    const own = deploymentOf({ clients: names });
    expect(own.resources(SECRET)).toHaveLength(names.length);
  });
});
