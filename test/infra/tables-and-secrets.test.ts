import { describe, expect, it } from 'vitest';
import { INFREQUENT_FROM_DAYS } from '../../infra/data/tables.ts';
import { deploymentOf } from './deployment.ts';

type Replica = {
  Region: string;
  DeletionProtectionEnabled: boolean;
  TableClass: string;
  ContributorInsightsSpecification?: unknown;
};
type Table = { Replicas: Replica[]; TimeToLiveSpecification?: unknown };

const TABLE = 'AWS::DynamoDB::GlobalTable';
const SECRET = 'AWS::SecretsManager::Secret';

const deployment = deploymentOf({ clients: ['warehouse', { name: 'wms.1', username: 'DOMAIN\\кладовщик' }] });
const ephemeral = deploymentOf({ ephemeral: true });
const tables = deployment.resources<Table>(TABLE);
const secrets = deployment.resources<Record<string, unknown>>(SECRET);

describe('the tables', () => {
  it('are billed per request, have generated names, and one replica with 35 days of recovery', () => {
    for (const { id, properties } of tables) {
      expect(properties, id).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          {
            Region: 'ap-southeast-2',
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
          },
        ],
      });
      expect(properties, id).not.toHaveProperty('TableName');
    }
  });

  it('report only the throttled keys of BalanceSnapshots', () => {
    const reporting = tables.filter(({ properties }) =>
      properties.Replicas.some((replica) => replica.ContributorInsightsSpecification),
    );
    expect(reporting.map(({ id }) => id)).toEqual([deployment.tableWithKeysOf('BalanceSnapshots').id]);
    expect(reporting[0]?.properties.Replicas).toMatchObject([
      { ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } },
    ]);
  });

  it.each([
    ['are kept and protected from deletion', deployment, 'Retain', true],
    ['are deleted if the stack is ephemeral', ephemeral, 'Delete', false],
  ])('%s when the stack is deleted', (_, { resources }, policy, isProtected) => {
    for (const { id, properties, deletionPolicy } of resources<Table>(TABLE)) {
      const [replica] = properties.Replicas;
      expect([deletionPolicy, replica?.DeletionProtectionEnabled], id).toEqual([policy, isProtected]);
    }
  });

  it('have a warm throughput only if it is set, and only for BalanceSnapshots', () => {
    const warm = deploymentOf({ warmThroughput: { writeUnitsPerSecond: 8_000 } });
    const throughputs = ({ resources }: typeof deployment) =>
      resources<{ WarmThroughput?: object }>(TABLE)
        .filter(({ properties }) => properties.WarmThroughput)
        .map(({ id, properties }) => [id, properties.WarmThroughput]);
    expect(throughputs(deployment)).toEqual([]);
    expect(throughputs(warm)).toEqual([
      [warm.tableWithKeysOf('BalanceSnapshots').id, { WriteUnitsPerSecond: 8_000 }],
    ]);
  });

  const [STANDARD, INFREQUENT] = ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'];

  it.each([
    [INFREQUENT, 'for ever', {}],
    [INFREQUENT, 'for as long as the break-even', { snapshotRetentionDays: INFREQUENT_FROM_DAYS }],
    [STANDARD, 'for a day less than the break-even', { snapshotRetentionDays: INFREQUENT_FROM_DAYS - 1 }],
    [STANDARD, 'for ever with this class set', { snapshotTableClass: STANDARD }],
    [
      INFREQUENT,
      'for a day with this class set',
      { snapshotRetentionDays: 1, snapshotTableClass: INFREQUENT },
    ],
  ])(
    'get the class %s for snapshots that are kept %s, and STANDARD for all other data',
    (tableClass, _, settings) => {
      const own = deploymentOf(settings);
      const snapshots = own.tableWithKeysOf('BalanceSnapshots').id;
      for (const { id, properties } of own.resources<Table>(TABLE)) {
        const expected = id === snapshots ? tableClass : STANDARD;
        expect(properties.Replicas, id).toMatchObject([{ TableClass: expected }]);
      }
    },
  );

  it('delete expired snapshots by ExpiresAt, and nothing else', () => {
    const expiring = tables.filter(({ properties }) => properties.TimeToLiveSpecification);
    expect(expiring.map(({ id }) => id)).toEqual([deployment.tableWithKeysOf('BalanceSnapshots').id]);
    expect(expiring[0]?.properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'ExpiresAt',
      Enabled: true,
    });
  });
});

describe('the secrets', () => {
  it('are one for each client, with its user name and a generated password', () => {
    const secretOf = (client: string, username: string) => ({
      Description: expect.stringMatching(new RegExp(` ${client}$`)),
      GenerateSecretString: {
        SecretStringTemplate: `{"username":"${username}"}`,
        GenerateStringKey: 'password',
      },
    });
    expect(secrets.map(({ properties }) => properties)).toMatchObject([
      secretOf('warehouse', 'warehouse'),
      secretOf('wms\\.1', 'DOMAIN\\\\кладовщик'),
    ]);
  });

  it('have generated names and no value in the template', () => {
    for (const { id, properties } of secrets) {
      expect(properties, id).not.toHaveProperty('SecretString');
      expect(properties, id).not.toHaveProperty('Name');
    }
    expect(JSON.stringify(deployment.template)).not.toContain('{{resolve:');
  });

  it.each([
    ['are kept, except after a failed first deployment,', deployment, 'RetainExceptOnCreate', 'Retain'],
    ['are deleted if the stack is ephemeral', ephemeral, 'Delete', 'Delete'],
  ])('%s when the stack is deleted', (_, { resources }, deletionPolicy, updateReplacePolicy) => {
    for (const secret of resources(SECRET)) {
      expect(secret, secret.id).toMatchObject({ deletionPolicy, updateReplacePolicy });
    }
  });

  it('exist for clients whose names are properties of JavaScript objects', () => {
    const names = ['__proto__', 'constructor', 'toString', 'Default', 'Resource', '.'];
    const own = deploymentOf({ clients: names });
    expect(own.resources(SECRET)).toHaveLength(names.length);
  });
});
