import { App } from 'aws-cdk-lib';
import { CfnGlobalTable, TableClass, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../infra/settings/stages.ts';
import { WarehouseControlStack } from '../../../infra/warehouse-control-stack.ts';
import { deployed, deploymentOf, mixedSettings, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';
import { propsOf } from '../template.ts';

type Table = {
  Replicas: { TableClass: string; ContributorInsightsSpecification?: object }[];
  TimeToLiveSpecification?: object;
  WarmThroughput?: object;
};
const TABLE = 'AWS::DynamoDB::GlobalTable';
const LOG = 'AWS::Logs::LogGroup';
const VAULT = 'AWS::Backup::BackupVault';

const deployment = sample('default');
const everything = sample('everything');
const snapshots = deployment.table('BalanceSnapshots').id;

it.each([
  [TABLE, 'default', 'Retain', 'Retain'],
  [LOG, 'default', 'RetainExceptOnCreate', 'Retain'],
  [TABLE, 'everything', 'Delete', 'Delete'],
  [LOG, 'everything', 'Delete', 'Delete'],
  // Backups stay even if the stack is ephemeral.
  [VAULT, 'everything', 'RetainExceptOnCreate', 'Retain'],
  [VAULT, 'largest', 'RetainExceptOnCreate', 'Retain'],
] as const)('each %s of the settings %s has the deletion policy %s', (type, settings, deletion, replace) => {
  const resources = sample(settings).resources(type);
  expect(resources.length).toBeGreaterThan(0);
  for (const { id, deletionPolicy, updateReplacePolicy } of resources) {
    expect([deletionPolicy, updateReplacePolicy], id).toEqual([deletion, replace]);
  }
});

describe('the tables', () => {
  it.each([
    ['and protected from deletion', deployment, true],
    ['and not protected if the stack is ephemeral', everything, false],
  ])('are billed per request, have generated names, 35 days of recovery %s', (_, own, isProtected) => {
    const recovery = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 };
    const replica = { Region: 'eu-central-1', DeletionProtectionEnabled: isProtected };
    for (const { id, properties } of own.resources<Table>(TABLE)) {
      expect(properties, id).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [{ ...replica, PointInTimeRecoverySpecification: recovery }],
      });
      expect(properties, id).not.toHaveProperty('TableName');
    }
  });

  it('expire by ExpiresAt and report throttled keys only where documented, and have the set warm throughput', () => {
    const special = (own: typeof deployment) =>
      own.resources<Table>(TABLE).flatMap(({ id, properties }) => {
        const { TimeToLiveSpecification: expiry, WarmThroughput: warm, Replicas } = properties;
        const values = { expiry, warm, throttles: Replicas[0]?.ContributorInsightsSpecification };
        return Object.values(values).some(Boolean) ? [{ id, ...values }] : [];
      });
    const expiry = { AttributeName: 'ExpiresAt', Enabled: true };
    const ofSnapshots = { id: snapshots, expiry, throttles: { Enabled: true, Mode: 'THROTTLED_KEYS' } };
    const ofRecords = { id: deployment.table('AdminRecords').id, expiry };
    expect(special(deployment)).toEqual([ofSnapshots, ofRecords]);
    expect(special(everything)).toEqual([
      { ...ofSnapshots, warm: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8_000 } },
      { id: everything.table('Clients').id, warm: { ReadUnitsPerSecond: 24_000 } },
      ofRecords,
    ]);
  });

  const { STANDARD, STANDARD_INFREQUENT_ACCESS: INFREQUENT } = TableClass;

  it.each([
    [INFREQUENT, 'that never expire', {}],
    [INFREQUENT, 'that are kept long', mixedSettings.likeDefault],
    [STANDARD, 'that are kept a day less', mixedSettings.otherAddresses],
    [STANDARD, 'with the setting', sampleSettings.everything],
  ])('get the class %s for snapshots %s, and STANDARD for all other data', (expected, _, settings) => {
    for (const { id, properties } of deploymentOf(settings).resources<Table>(TABLE)) {
      expect(properties.Replicas, id).toMatchObject([{ TableClass: id === snapshots ? expected : STANDARD }]);
    }
  });
});

/** Does to each table what docs/deploying.md says to do in the code. */
const deployedWith = (change: (table: TableV2) => void) => {
  const app = new App(propsOf({}));
  const env = { account: '123456789012', region: 'eu-central-1' };
  const stack = new WarehouseControlStack(app, 'WarehouseControl', { settings: parseSettings({}), env });
  for (const child of stack.node.findAll()) if (child instanceof TableV2) change(child);
  return deployed(app.synth().getStackArtifact(stack.artifactId).template);
};

const addStream = ({ node: { defaultChild } }: TableV2) => {
  if (defaultChild instanceof CfnGlobalTable)
    defaultChild.streamSpecification = { streamViewType: 'NEW_AND_OLD_IMAGES' };
};

it('a second region is added in two deployments: first the streams, then protected replicas and nothing else', () => {
  const first = deployedWith(addStream);
  const second = deployedWith((table) => {
    addStream(table);
    table.addReplica({ region: 'eu-west-1' });
  });
  const tables = first.resources<Table>(TABLE);
  expect(tables.map(({ id }) => id)).toEqual(deployment.resources(TABLE).map(({ id }) => id));
  for (const { id, properties } of tables) {
    const StreamSpecification = { StreamViewType: 'NEW_AND_OLD_IMAGES' };
    expect(properties, id).toMatchObject({ StreamSpecification, Replicas: [{ Region: 'eu-central-1' }] });
  }
  const { Resources } = JSON.parse(JSON.stringify(first.template));
  for (const { id } of tables) {
    const { Properties } = Resources[id];
    Properties.Replicas.unshift({ ...Properties.Replicas[0], Region: 'eu-west-1' });
  }
  expect(second.template['Resources']).toEqual(Resources);
});
