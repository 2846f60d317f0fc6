import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeClients, userKeyOf } from '../../../shared/clients.ts';
import { operationNames } from '../../../shared/operations.ts';
import { mapValues } from '../../../shared/records.ts';
import { projectFolder } from '../../support/run-app.ts';
import { functionNames, functionsOf } from '../api/gateway.ts';
import { sample } from '../deployment.ts';

const deployment = sample('default');
const everything = sample('everything');
const functions = functionsOf(deployment);

const MEGABYTES_OF_A_WHOLE_PROCESSOR = 1_769;
const ENVIRONMENT_BYTES = 4_096;

const { version } = JSON.parse(
  readFileSync(join(projectFolder, 'node_modules/node/package.json'), 'utf8'),
) as { version: string };

it('the template has one function for each operation and one for the authorizer, and no others', () => {
  expect(new Set(Object.values(functions).map(({ id }) => id)).size).toBe(functionNames.length);
  expect(deployment.resources('AWS::Lambda::Function')).toHaveLength(functionNames.length);
});

it.each(functionNames)(
  "%s runs on this project's version of Node and arm64 with one whole processor, and logs JSON",
  (name) => {
    expect(functions[name].properties).toMatchObject({
      Runtime: `nodejs${version.split('.')[0]}.x`,
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON' },
    });
    const { MemorySize } = functions[name].properties;
    expect(MemorySize).toBeGreaterThanOrEqual(MEGABYTES_OF_A_WHOLE_PROCESSOR);
  },
);

it('each function has a log group of its own', () => {
  const used = functionNames.map((name) => functions[name].properties.LoggingConfig.LogGroup);
  expect(new Set(used).size).toBe(functionNames.length);
  const logs = deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref);
  expect(logs).toEqual(expect.arrayContaining(used));
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

it.each([
  ['no function', 'default', {}],
  ['only the functions of the setting', 'everything', { authorizer: 60, 'post-material-stock-balance': 15 }],
] as const)('reserved concurrency: %s', (_, settings, reserved) => {
  const own = functionsOf(sample(settings));
  // toEqual ignores what is undefined.
  expect(mapValues(own, (name) => own[name].properties.ReservedConcurrentExecutions)).toEqual(reserved);
});

describe('the environment', () => {
  it('of post-material-stock-balance has the retention days if snapshots expire', () => {
    const { Variables } = functionsOf(everything)['post-material-stock-balance'].properties.Environment;
    expect(Variables['SNAPSHOT_RETENTION_DAYS']).toBe('365');
  });

  it('of the authorizer has the secret of each client by a digest of the user name', () => {
    const { CLIENTS, SECRET_PREFIX, ...others } =
      functionsOf(everything).authorizer.properties.Environment.Variables;
    expect(others).toEqual({ CREDENTIAL_OVERLAP_HOURS: '0', METRICS_NAMESPACE: 'Warehouse' });
    const known = decodeClients(CLIENTS ?? '');
    expect(known).toMatchObject([
      { name: 'warehouse', userKey: userKeyOf('warehouse') },
      { name: 'wms.1', userKey: userKeyOf('DOMAIN\\кладовщик') },
      { name: 'doctor', userKey: userKeyOf('doctor') },
    ]);
    const secrets = everything.resources<{ Description: string }>('AWS::SecretsManager::Secret');
    expect(known.map(({ name, secret }) => [`${SECRET_PREFIX}${secret}`, name])).toEqual(
      secrets.map(({ ref, properties }) => [ref, properties.Description.split(' ').at(-1)]),
    );
  });

  it("of the authorizer stays within Lambda's 4 KB with 30 clients of the longest names", () => {
    const { Variables } = functionsOf(sample('largest')).authorizer.properties.Environment;
    expect(decodeClients(Variables['CLIENTS'] ?? '')).toHaveLength(30);
    // Lambda measures the JSON.
    expect(Buffer.byteLength(JSON.stringify(Variables))).toBeLessThan(ENVIRONMENT_BYTES);
  });
});
