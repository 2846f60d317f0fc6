import { describe, expect, it } from 'vitest';
import { decodeClients, userKeyOf } from '../../shared/clients.ts';
import { operationNames, operations } from '../../shared/operations.ts';
import { mapValues } from '../../shared/records.ts';
import { tables } from '../../shared/tables.ts';
import { type Deployment, deploymentOf } from './deployment.ts';
import { type FunctionName, functionNames, functionsOf } from './gateway.ts';

const deployment = deploymentOf();
const functions = functionsOf(deployment);

const MEGABYTES_OF_A_WHOLE_PROCESSOR = 1_769;
const ENVIRONMENT_BYTES = 4_096;

it('the template has one function for each operation and one for the authorizer, and no others', () => {
  expect(new Set(Object.values(functions).map(({ id }) => id)).size).toBe(functionNames.length);
  expect(deployment.resources('AWS::Lambda::Function')).toHaveLength(functionNames.length);
});

describe.each(functionNames)('the function %s', (name) => {
  const { properties } = functions[name];

  it('runs on Node 24 and arm64, with one whole processor', () => {
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    expect(properties.MemorySize).toBeGreaterThanOrEqual(MEGABYTES_OF_A_WHOLE_PROCESSOR);
  });

  it('logs JSON to a log group of its own', () => {
    const { LogFormat, LogGroup } = properties.LoggingConfig;
    expect(LogFormat).toBe('JSON');
    expect(deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref)).toContain(LogGroup);
    const users = Object.values(functions).filter(
      (user) => user.properties.LoggingConfig.LogGroup === LogGroup,
    );
    expect(users).toEqual([functions[name]]);
  });
});

it.each(operationNames)(
  'the timeout of %s allows all retries of the store and leaves time for the authorizer',
  (name) => {
    const { Timeout } = functions[name].properties;
    // Four attempts of four seconds, and one to answer.
    expect(Timeout).toBeGreaterThanOrEqual(17);
    expect(Timeout + functions.authorizer.properties.Timeout).toBeLessThanOrEqual(27);
  },
);

it('only the authorizer and post-material-stock-balance get reserved concurrency, and only with the setting', () => {
  const reservedIn = (own: Deployment) => {
    const all = functionsOf(own);
    return mapValues(all, (name) => all[name].properties.ReservedConcurrentExecutions);
  };
  const reserved = { authorizer: 60, balances: 15 };
  // toEqual ignores what is undefined.
  expect(reservedIn(deployment)).toEqual({});
  expect(reservedIn(deploymentOf({ reservedConcurrency: reserved }))).toEqual({
    authorizer: 60,
    'post-material-stock-balance': 15,
  });
});

describe('the environment', () => {
  const environmentOf = (settings: unknown, name: FunctionName) =>
    functionsOf(deploymentOf(settings))[name].properties.Environment.Variables;

  it.each(operationNames)(
    'of %s has the names of its table and of its metrics namespace, and nothing else',
    (name) => {
      const { table } = operations[name];
      expect(functions[name].properties.Environment.Variables).toEqual({
        [tables[table].variable]: deployment.tableWithKeysOf(table).ref,
        METRICS_NAMESPACE: 'WarehouseControl',
      });
    },
  );

  it('of post-material-stock-balance has the retention days if snapshots expire', () => {
    const variables = environmentOf({ snapshotRetentionDays: 30 }, 'post-material-stock-balance');
    expect(variables['SNAPSHOT_RETENTION_DAYS']).toBe('30');
  });

  it('of the authorizer has the secret of each client by a digest of the user name', () => {
    const settings = { clients: ['warehouse', { name: 'wms.1', username: 'DOMAIN\\кладовщик' }] };
    const own = deploymentOf({ ...settings, credentialOverlapHours: 0 });
    const { CLIENTS, SECRET_PREFIX, ...others } =
      functionsOf(own).authorizer.properties.Environment.Variables;
    expect(others).toEqual({ CREDENTIAL_OVERLAP_HOURS: '0', METRICS_NAMESPACE: 'WarehouseControl' });
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

  it("of the authorizer stays within Lambda's 4 KB with 30 clients of the longest names", () => {
    const clients = Array.from({ length: 30 }, (_, index) => ({
      name: `${index}`.padStart(64, 'n'),
      username: `${index}`.padStart(128, 'я'),
    }));
    const stackName = 'W'.repeat(60);
    const environment = environmentOf({ stackName, clients, credentialOverlapHours: 8_760 }, 'authorizer');
    expect(decodeClients(environment['CLIENTS'] ?? '')).toHaveLength(30);
    // Lambda measures the JSON.
    expect(Buffer.byteLength(JSON.stringify(environment))).toBeLessThan(ENVIRONMENT_BYTES);
  });
});
