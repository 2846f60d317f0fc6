import { App, Stack } from 'aws-cdk-lib';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, it } from 'vitest';
import { INFREQUENT_FROM_DAYS, Tables } from '../../../infra/data/tables.ts';
import { deployed, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { propsOf } from '../template.ts';

type Table = {
  Replicas: { TableClass: string; ContributorInsightsSpecification?: object }[];
  TimeToLiveSpecification?: object;
  WarmThroughput?: object;
};
const TABLE = 'AWS::DynamoDB::GlobalTable';
const SECRET = 'AWS::SecretsManager::Secret';

const deployment = sample('default');
const everything = sample('everything');
const tables = deployment.resources<Table>(TABLE);

const snapshots = deployment.table('BalanceSnapshots').id;

describe('the tables', () => {
  it('are billed per request, have generated names, and one replica with 35 days of recovery', () => {
    for (const { id, properties } of tables) {
      expect(properties, id).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          {
            Region: 'eu-central-1',
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
          },
        ],
      });
      expect(properties, id).not.toHaveProperty('TableName');
    }
  });

  it.each([
    ['are kept and protected from deletion', deployment, 'Retain', true],
    ['are deleted if the stack is ephemeral', everything, 'Delete', false],
  ])('%s when the stack is deleted', (_, { resources }, deletionPolicy, isProtected) => {
    for (const table of resources(TABLE)) {
      const properties = { Replicas: [{ DeletionProtectionEnabled: isProtected }] };
      expect(table, table.id).toMatchObject({ deletionPolicy, properties });
    }
  });

  it('report throttled keys, expire by ExpiresAt and have a set warm throughput only for BalanceSnapshots', () => {
    const special = (own: typeof deployment) =>
      own.resources<Table>(TABLE).flatMap(({ id, properties }) => {
        const { TimeToLiveSpecification: expiry, WarmThroughput: warm, Replicas } = properties;
        const values = { expiry, warm, throttles: Replicas[0]?.ContributorInsightsSpecification };
        return Object.values(values).some(Boolean) ? [{ id, ...values }] : [];
      });
    const always = {
      id: snapshots,
      expiry: { AttributeName: 'ExpiresAt', Enabled: true },
      throttles: { Enabled: true, Mode: 'THROTTLED_KEYS' },
    };
    expect(special(deployment)).toEqual([always]);
    const warm = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8_000 };
    expect(special(everything)).toEqual([{ ...always, warm }]);
  });

  const { STANDARD, STANDARD_INFREQUENT_ACCESS: INFREQUENT } = TableClass;

  it.each([
    [INFREQUENT, 'for ever', undefined, undefined],
    [INFREQUENT, 'for as long as the break-even', INFREQUENT_FROM_DAYS, undefined],
    [STANDARD, 'for a day less than the break-even', INFREQUENT_FROM_DAYS - 1, undefined],
    [STANDARD, 'for ever with this class set', undefined, STANDARD],
    [INFREQUENT, 'for a day with this class set', 1, INFREQUENT],
  ])('get the class %s for snapshots that are kept %s, and STANDARD for all other data', (...row) => {
    const [expected, _, retentionDays, snapshotTableClass] = row;
    const app = new App(propsOf({}));
    const stack = new Stack(app, 'Stack');
    const props = { ephemeral: true, retentionDays, warmThroughput: undefined, snapshotTableClass };
    new Tables(stack, 'Tables', props);
    const own = deployed(app.synth().getStackArtifact(stack.artifactId).template);
    for (const { id, properties } of own.resources<Table>(TABLE)) {
      expect(properties.Replicas, id).toMatchObject([{ TableClass: id === snapshots ? expected : STANDARD }]);
    }
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
    expect(everything.resources(SECRET).map(({ properties }) => properties)).toMatchObject([
      secretOf('warehouse', 'warehouse'),
      secretOf('wms\\.1', 'DOMAIN\\\\кладовщик'),
      secretOf('doctor', 'doctor'),
    ]);
  });

  it('have generated names and no value in the template', () => {
    for (const { id, properties } of everything.resources(SECRET)) {
      expect(Object.keys(Object(properties)).toSorted(), id).toEqual([
        'Description',
        'GenerateSecretString',
        'Tags',
      ]);
    }
    expect(JSON.stringify(everything.template)).not.toContain('{{resolve:');
  });

  it.each([
    ['are kept, except after a failed first deployment,', deployment, 'RetainExceptOnCreate', 'Retain'],
    ['are deleted if the stack is ephemeral', everything, 'Delete', 'Delete'],
  ])('%s when the stack is deleted', (_, { resources }, deletionPolicy, updateReplacePolicy) => {
    for (const secret of resources(SECRET)) {
      expect(secret, secret.id).toMatchObject({ deletionPolicy, updateReplacePolicy });
    }
  });

  it('exist for 30 clients, some with names that are properties of JavaScript objects', () => {
    expect(sample('largest').resources(SECRET)).toHaveLength(sampleSettings.largest.clients.length);
  });
});
