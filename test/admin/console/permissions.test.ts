import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import { HOUR_MS } from '../../../admin/cli/time.ts';
import { consoleApp } from '../../../admin/console/server/console-app.ts';
import { matches } from '../../../local/policy.ts';
import { describeDynamoDb, describeSecretsManager, openAwsProxy } from '../../../local/services/aws-proxy.ts';
import { SecretsManager } from '../../../local/services/secrets-manager.ts';
import { entryOf } from '../../browser/sample.ts';
import { projectFolder } from '../../support/run-app.ts';
import { dataFolder, emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

type Statement = { Sid: string; Action: string[]; Resource: string[] };

const { names } = await emptyDeployment();
const ACCOUNT = '000000000000';

/** What an admin writes in the place of each name of the policy. */
const inPolicy: Record<string, string> = {
  REGION: 'eu-central-1',
  ACCOUNT,
  MATERIAL_CODES: `WarehouseControl-${names.MaterialCodes}`,
  PURCHASE_ORDERS: `WarehouseControl-${names.PurchaseOrders}`,
  SECRET_NAME: 'secret-of-north',
};
const readPolicy = (): Statement[] => {
  const text = readFileSync(join(projectFolder, 'docs/permissions.md'), 'utf8');
  const [, json = ''] = /The console needs this policy.*?```json\n(.*?)```/s.exec(text) ?? [];
  return JSON.parse(json.replaceAll(/[A-Z_]{3,}/g, (name) => inPolicy[name] ?? name)).Statement;
};

const statements = readPolicy();
let leftOut: string | undefined;
const used = new Set<string>();
const secrets = new SecretsManager(undefined);
const open: { close(): void }[] = [secrets];
afterAll(() => {
  for (const service of open) service.close();
});

const permissions = {
  refusalOf: (_: string, action: string, resource: string) => {
    const granting = statements.find(
      ({ Sid, Action, Resource }) =>
        Sid !== leftOut && Action.includes(action) && Resource.some((pattern) => matches(pattern, resource)),
    );
    if (granting) used.add(action);
    return granting ? undefined : `The colleague is not authorized to perform: ${action} on ${resource}`;
  },
};

/** Forwards what the policy allows, under the names that resources have on the platform. */
const openProxy = async (target: string, describe: typeof describeDynamoDb) => {
  const proxy = await openAwsProxy(target, permissions, describe);
  open.push(proxy);
  return proxy.endpoint;
};

const engine = await openProxy(inject('dynamoDbEndpoint'), (operation, body) => {
  const { action, resources } = describeDynamoDb(operation, body);
  return { action, resources: resources.map((arn) => arn.replace(':table/', ':table/WarehouseControl-')) };
});
const secretsEndpoint = await openProxy(await secrets.open(), (operation, body) => {
  const { action, resources } = describeSecretsManager(operation, body);
  const arn = `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:`;
  return { action, resources: resources.map((name) => `${arn}${name}-AbCdEf`) };
});
secrets.setValue('secret-of-north', '{"username": "north", "password": "first"}');
const data = dataFolder(names, { clients: ['north'], engine, secrets: secretsEndpoint });
const session = await testSession(data);
const running = await startTestConsole(session);
open.push({ close: () => void running.stop() });
const anHourAgo = new Date(Date.now() - HOUR_MS);
const snapshotId = await putBatch(names.BalanceSnapshots, 'north', anHourAgo, [entryOf('A', 1)]);
await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' } }, { MaterialCode: { S: 'B' } }]);

beforeEach(() => {
  leftOut = undefined;
});

const cells = [{ name: 'Name', kind: 'text', text: 'new' }];
const edit = (kind: string, identifier: string) => ({ kind, identifier, cells });
const edits = [edit('added', 'C'), edit('changed', 'A'), edit('removed', 'B')];
const planEdits = () => running.post('/api/lists/codes/plan', edits);

const batch = `north/${snapshotId}`;
const query = new URLSearchParams({ format: 'csv', code: 'A', one: batch, other: batch });

/** Sends a request to a route. */
const ask = async (method: string, route: string) => {
  if (route.endsWith('/plan')) return planEdits();
  if (route === '/api/plans/:id') return running.post(`/api/plans/${(await planEdits()).body.id}`, {});
  const list = route.startsWith('/api/downloads/') ? 'MaterialCodes' : 'codes';
  const named = route.replace(':client/:id', batch).replace(':list', list).replace(':name', 'north');
  return method === 'POST' ? running.post(named, {}) : running.send(`${named}?${query}`);
};

test('each route of the console works under the policy of the documentation', async () => {
  const { routes } = consoleApp(session, { guards: [], isReadOnly: false });
  const ofData = routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  expect(ofData.length).toBeGreaterThan(10);
  for (const { method, path } of ofData)
    expect({ path, status: (await ask(method, path)).status }).toEqual({ path, status: 200 });
  const calls = statements.flatMap(({ Action }) => Action);
  expect([...used, 'cloudformation:DescribeStacks'].toSorted()).toEqual(calls.toSorted());
});

test('without the statement for passwords, the clients say which action is missing, and all else works', async () => {
  leftOut = 'Passwords';
  const message = expect.stringMatching(/^These credentials are not allowed .*secretsmanager:[DG]e\w+ /);
  expect(await running.get('/api/clients')).toMatchObject({ status: 502, body: { message } });
  expect((await running.get('/api/stock')).status).toBe(200);
});

test('without the statement for lists, a change is not written, and says which action is missing', async () => {
  leftOut = 'WriteLists';
  const plan = await running.post('/api/lists/codes/plan', [edit('added', 'D')]);
  expect(plan.status).toBe(200);
  const written = await running.post(`/api/plans/${plan.body.id}`, {});
  expect(written.body.message).toMatch(/These credentials are not allowed to do that: .*dynamodb:PutItem /);
  expect((await running.get('/api/lists/codes')).status).toBe(200);
});
