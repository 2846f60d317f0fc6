import { describe, expect, it } from 'vitest';
import { decodeClients, userKeyOf } from '../../shared/clients.ts';
import { deploymentOf } from './deployment.ts';
import { functionNames, functionsOf } from './gateway.ts';

const deployment = deploymentOf();
const functions = functionsOf(deployment);

const GATEWAY_TIMEOUT_SECONDS = 29;
const MEGABYTES_OF_A_WHOLE_PROCESSOR = 1_769;
const ENVIRONMENT_BYTES = 4_096;

it('There is one function an operation, the authorizer, and no other', () => {
  expect(new Set(Object.values(functions).map(({ id }) => id)).size).toBe(functionNames.length);
  expect(deployment.resources('AWS::Lambda::Function')).toHaveLength(functionNames.length);
});

describe.each(functionNames)('the function %s', (name) => {
  const { properties } = functions[name];

  it('runs on Node 24 and arm64', () => {
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
  });

  it('ends before the gateway gives up', () => {
    expect(properties.Timeout).toBeLessThan(GATEWAY_TIMEOUT_SECONDS);
  });

  it('logs JSON to a log group of its own', () => {
    expect(properties.LoggingConfig.LogFormat).toBe('JSON');
    const logGroups = deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref);
    expect(logGroups).toContain(properties.LoggingConfig.LogGroup);
    const others = Object.values(functions).filter((other) => other !== functions[name]);
    expect(others.map((other) => other.properties.LoggingConfig.LogGroup)).not.toContain(
      properties.LoggingConfig.LogGroup,
    );
  });
});

it.each(functionNames)('The function %s has a whole processor', (name) => {
  expect(functions[name].properties.MemorySize).toBeGreaterThanOrEqual(MEGABYTES_OF_A_WHOLE_PROCESSOR);
});

it('The functions that wait for the store have time for its retries, and leave some of the 29 seconds to the authorizer', () => {
  const { authorizer, ...others } = functions;
  for (const { id, properties } of Object.values(others)) {
    // Four attempts of four seconds, and one to answer.
    expect(properties.Timeout, id).toBeGreaterThanOrEqual(17);
    expect(properties.Timeout + authorizer.properties.Timeout, id).toBeLessThanOrEqual(27);
  }
});

describe('the environment', () => {
  const environmentOf = (settings: unknown, name: (typeof functionNames)[number]) =>
    functionsOf(deploymentOf(settings))[name].properties.Environment.Variables;
  const tableWithKeys = (...keys: string[]) =>
    deployment
      .resources<{ KeySchema: { AttributeName: string }[] }>('AWS::DynamoDB::Table')
      .find(({ properties }) => String(properties.KeySchema.map((key) => key.AttributeName)) === String(keys))
      ?.ref;

  it.each([
    ['post-change', 'CHANGE_TIMESTAMPS_TABLE', ['Client', 'Timestamp']],
    ['get-material-codes', 'MATERIAL_CODES_TABLE', ['MaterialCode']],
    ['get-purchase-orders', 'PURCHASE_ORDERS_TABLE', ['PurchaseOrder']],
    ['post-material-stock-balance', 'BALANCE_SNAPSHOTS_TABLE', ['Client', 'SnapshotId']],
  ] as const)(
    'of %s is, beside the name of its metrics, %s alone, the table with the keys %j',
    (name, variable, keys) => {
      const table = tableWithKeys(...keys);
      expect(table).toBeDefined();
      expect(functions[name].properties.Environment.Variables).toEqual({
        [variable]: table,
        METRICS_NAMESPACE: 'WarehouseControl',
      });
    },
  );

  it('tells the function of stock balances when snapshots expire, where they do', () => {
    expect(environmentOf({ snapshotRetentionDays: 30 }, 'post-material-stock-balance')).toMatchObject({
      SNAPSHOT_RETENTION_DAYS: '30',
    });
    expect(environmentOf({}, 'post-material-stock-balance')).not.toHaveProperty('SNAPSHOT_RETENTION_DAYS');
  });

  it('tells the authorizer of each client, by a digest of the user name, where its secret is', () => {
    const settings = { clients: ['warehouse', { name: 'wms.1', username: 'DOMAIN\\кладовщик' }] };
    const own = deploymentOf(settings);
    const { CLIENTS, SECRET_PREFIX, ...others } =
      functionsOf(own).authorizer.properties.Environment.Variables;
    expect(others).toEqual({ CREDENTIAL_OVERLAP_HOURS: '24', METRICS_NAMESPACE: 'WarehouseControl' });
    const known = decodeClients(CLIENTS ?? '');
    expect(known).toMatchObject([
      { name: 'warehouse', userKey: userKeyOf('warehouse') },
      { name: 'wms.1', userKey: userKeyOf('DOMAIN\\кладовщик') },
    ]);
    const secrets = own.resources<{ Description: string }>('AWS::SecretsManager::Secret');
    expect(known.map(({ name, secret }) => [`${SECRET_PREFIX}${secret}`, name])).toEqual(
      secrets.map(({ ref, properties }) => [ref, properties.Description.split(' ').at(-1)]),
    );
  });

  it('tells the authorizer how long the password before the current one is good', () => {
    expect(environmentOf({ credentialOverlapHours: 0 }, 'authorizer')).toMatchObject({
      CREDENTIAL_OVERLAP_HOURS: '0',
    });
  });

  it('holds thirty clients with the longest of names', () => {
    const clients = Array.from({ length: 30 }, (_, index) => ({
      name: `${index}`.padStart(64, 'n'),
      username: `${index}`.padStart(128, 'я'),
    }));
    const stackName = 'W'.repeat(128);
    const environment = environmentOf({ stackName, clients, credentialOverlapHours: 8_760 }, 'authorizer');
    // As Lambda measures it.
    const bytes = Buffer.byteLength(JSON.stringify(environment));
    expect(decodeClients(environment['CLIENTS'] ?? '')).toHaveLength(30);
    expect(bytes).toBeLessThan(ENVIRONMENT_BYTES);
  });
});
