import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeClients, userKeyOf } from '../../../shared/clients.ts';
import { mapValues } from '../../../shared/records.ts';
import { projectFolder } from '../../support/run-app.ts';
import { functionNames, functionsOf, sample } from '../deployment.ts';

const everything = sample('everything');
const functions = functionsOf(sample('default'));

const { version }: { version: string } = JSON.parse(
  readFileSync(join(projectFolder, 'node_modules/node/package.json'), 'utf8'),
);

it.each(functionNames)(
  "%s runs on this project's version of Node and arm64 with one whole processor, and logs JSON",
  (name) => {
    expect(functions[name].properties).toMatchObject({
      Runtime: `nodejs${version.split('.')[0]}.x`,
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON' },
      MemorySize: 1_769,
      // Enough for every attempt to reach the store or the secrets. test/faults proves that both together fit in 29 s.
      Timeout: name === 'authorizer' ? 9 : 18,
    });
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
    const { Variables } = functionsOf(everything).authorizer.properties.Environment;
    const { CLIENTS = '', SECRET_PREFIX, CREDENTIAL_OVERLAP_HOURS } = Variables;
    const secrets = everything.resources('AWS::SecretsManager::Secret');
    const known = decodeClients(CLIENTS);
    expect(known).toMatchObject([
      { name: 'warehouse', userKey: userKeyOf('warehouse') },
      { name: 'wms.1', userKey: userKeyOf('DOMAIN\\кладовщик') },
      { name: 'doctor', userKey: userKeyOf('doctor') },
    ]);
    expect(known.map(({ secret }) => `${SECRET_PREFIX}${secret}`)).toEqual(secrets.map(({ ref }) => ref));
    expect(CREDENTIAL_OVERLAP_HOURS).toBe('0');
  });

  it("of the authorizer stays within Lambda's 4 KB with 30 clients of the longest names", () => {
    const { Variables } = functionsOf(sample('largest')).authorizer.properties.Environment;
    expect(decodeClients(Variables['CLIENTS'] ?? '')).toHaveLength(30);
    // Lambda measures the JSON.
    expect(Buffer.byteLength(JSON.stringify(Variables))).toBeLessThan(4_096);
  });
});
