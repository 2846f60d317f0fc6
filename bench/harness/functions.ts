import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/functions/bundle.ts';
import { encodeClients, userKeyOf } from '../../shared/clients.ts';
import { variables } from '../../shared/environment.ts';
import type { OperationName } from '../../shared/operations.ts';
import { secretPrefix, type startSecretsManager } from '../../test/support/fault-proxy.ts';
import { startFunction } from './runner.ts';

export type FunctionName = OperationName | 'authorizer';
export const functionNames: FunctionName[] = [
  'authorizer',
  'post-change',
  'get-material-codes',
  'get-purchase-orders',
  'post-material-stock-balance',
];

/** As the stack names it. */
export const logicalId = (name: FunctionName) =>
  name.replaceAll(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());

/** A full deployment; each of its clients has had its password changed once, so that there is one before. */
export const CLIENTS = 30;
const clients = Array.from({ length: CLIENTS }, (_, index) => {
  const name = `warehouse-${String(index + 1).padStart(2, '0')}`;
  return {
    name,
    userKey: userKeyOf(name),
    secret: `Client${String(index).padStart(10, '0')}-AbCdEfGhIjKl-AbCdEf`,
  };
});
const passwordOf = (index: number) => `0123456789abcdefABCDEF01234567${String(index).padStart(2, '0')}`;

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const nameOf = (index: number) => clients[index]?.name ?? '';

export const authorizationOf = (index: number) => basic(nameOf(index), passwordOf(index));

/** A client's user name, and nobody's: only the first is counted by client as well. */
export const wrongAuthorizations = [basic(nameOf(0), 'wrong'), basic('nobody', 'wrong')];

export const fillSecrets = (secrets: Awaited<ReturnType<typeof startSecretsManager>>) => {
  for (const [index, { name, secret }] of clients.entries()) {
    const value = (password: string) => JSON.stringify({ username: name, password });
    secrets.putSecretValue(secret, value('the one before'), new Date('2026-01-01'));
    secrets.putSecretValue(secret, value(passwordOf(index)), new Date('2026-02-01'));
  }
};

type Whereabouts = { tables: string; secrets: string };

/** For what is only loaded, or does without. */
export const NOWHERE: Whereabouts = { tables: 'http://127.0.0.1:9', secrets: 'http://127.0.0.1:9' };

/** What a function finds in its environment; `folder` holds its bundle. */
export const environmentOf = ({ tables, secrets }: Whereabouts, folder: string, table: string) => ({
  AWS_REGION: 'eu-central-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  _X_AMZN_TRACE_ID: 'Root=1-6730a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: tables,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
  LAMBDA_TASK_ROOT: folder,
  [variables.metricsNamespace]: 'WarehouseControl',
  [variables.clients]: encodeClients(clients),
  [variables.secretPrefix]: secretPrefix,
  [variables.credentialOverlapHours]: '24',
  [variables.materialCodesTable]: table,
  [variables.purchaseOrdersTable]: table,
  [variables.changeTimestampsTable]: table,
  [variables.balanceSnapshotsTable]: table,
});

/** The bundles of the functions, made once, and a way to start a process of each. */
export const bundledFunctions = (whereabouts: Whereabouts) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bundles-'));
  for (const name of functionNames) {
    mkdirSync(join(folder, name));
    bundle(name, join(folder, name), join(folder, 'source-maps'));
  }
  return {
    start: (name: FunctionName, memoryMb: number, table = 'unused') =>
      startFunction(environmentOf(whereabouts, join(folder, name), table), memoryMb),
    remove: () => rmSync(folder, { recursive: true }),
  };
};
