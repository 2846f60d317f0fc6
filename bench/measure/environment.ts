import { encodeClients, userKeyOf } from '../../shared/clients.ts';
import { variables } from '../../shared/environment.ts';
import { tables as allTables } from '../../shared/tables.ts';
import { secretPrefix, type startSecretsManager } from '../../test/support/fault-proxy.ts';

/** The clients of a full deployment. Each has changed its password once, so there is a previous one. */
const clients = Array.from({ length: 30 }, (_, index) => {
  const number = String(index + 1).padStart(2, '0');
  const name = `warehouse-${number}`;
  return {
    name,
    userKey: userKeyOf(name),
    secret: `Client00000000${number}-AbCdEfGhIjKl-AbCdEf`,
    password: `0123456789abcdefABCDEF01234567${number}`,
  };
});

export const authorizationHeaders = clients.map(
  ({ name, password }) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
);

export const storeSecrets = (secrets: Awaited<ReturnType<typeof startSecretsManager>>) => {
  for (const { name, secret, password } of clients) {
    const value = (password: string) => JSON.stringify({ username: name, password });
    secrets.putSecretValue(secret, value('the previous password'), new Date('2026-01-01'));
    secrets.putSecretValue(secret, value(password), new Date('2026-02-01'));
  }
};

const NOWHERE = 'http://127.0.0.1:9';

type Services = { tables?: string; secrets?: string; table?: string };

/** The environment of a function; every table variable names the same table. */
export const environmentOf = ({ tables = NOWHERE, secrets = NOWHERE, table = 'unused' }: Services = {}) => ({
  AWS_REGION: 'eu-central-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  _X_AMZN_TRACE_ID: 'Root=1-6730a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: tables,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
  [variables.metricsNamespace]: 'WarehouseControl',
  [variables.clients]: encodeClients(clients),
  [variables.secretPrefix]: secretPrefix,
  [variables.credentialOverlapHours]: '24',
  ...Object.fromEntries(Object.values(allTables).map(({ variable }) => [variable, table])),
});
