import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import { consoleApp } from '../../../admin/console/server/console-app.ts';
import { effectOf, findMatchingStatements, readStatements } from '../../../local/policy.ts';
import { openDynamoDbProxy } from '../../../local/services/dynamodb-proxy.ts';
import { Client } from '../../../shared/clients/client.ts';
import { readClients } from '../../../shared/clients/read-clients.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';
import { projectFolder } from '../../support/run-app.ts';
import { itemsOf, testClient } from '../../support/tables.ts';
import { dataFolder, emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

const { names } = await emptyDeployment({ clients: ['north'] });

/** What an admin writes in the place of each name of the policy. */
const inPolicy: Record<string, string> = {
  REGION: 'eu-central-1',
  ACCOUNT: '000000000000',
  MATERIAL_CODES: names.MaterialCodes,
  PURCHASE_ORDERS: names.PurchaseOrders,
  CHANGE_TIMESTAMPS: names.ChangeTimestamps,
  BALANCE_SNAPSHOTS: names.BalanceSnapshots,
  CLIENTS: names.Clients,
  ADMIN_RECORDS: names.AdminRecords,
};
const readPolicy = () => {
  const text = readFileSync(join(projectFolder, 'docs/permissions.md'), 'utf8');
  const [, json = ''] = /The console needs this policy.*?```json\n(.*?)```/s.exec(text) ?? [];
  const named = json.replaceAll(/[A-Z_]{3,}/g, (name) => inPolicy[name] ?? name);
  return readStatements(JSON.parse(named));
};

const statements = readPolicy();
let leftOut: string | undefined;
const used = new Set<string>();

/** Forwards what the policy allows. */
const engine = await openDynamoDbProxy(inject('dynamoDbEndpoint'), {
  refusalOf: (_, call) => {
    const matching = findMatchingStatements(statements, call).filter(({ Sid }) => Sid !== leftOut);
    for (const { Sid } of matching) used.add(`${Sid} ${call.action}`);
    const refusal = `The colleague is not authorized to perform: ${call.action} on ${call.resource}`;
    return effectOf(matching) === 'Allow' ? undefined : refusal;
  },
});
const data = dataFolder(names, { engine: engine.endpoint });
const running = await startTestConsole(data);
afterAll(async () => {
  await running.stop();
  engine.close();
});
const anHourAgo = new Date(Date.now() - HOUR_MS);
const snapshotId = await putBatch(names.BalanceSnapshots, 'north', anHourAgo, [entryOf('A', 1)]);
await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' } }, { MaterialCode: { S: 'B' } }]);

beforeEach(() => {
  leftOut = undefined;
});

const cells = [{ name: 'Name', kind: 'text', text: 'new' }];
const edit = (kind: string, identifier: string) => ({ kind, identifier, cells });
const edits = [edit('added', 'C'), edit('changed', 'A'), edit('removed', 'B')];
const planEdits = (planned = edits) => running.post('/api/lists/codes/review', planned);
const write = ({ body }: { body: { id: string } }) =>
  running.post(`/api/reviews/${body.id}`, { acceptsWarnings: true });
const findChange = async () => (await write(await planEdits([edit('added', 'U')]))).body.change;

const batch = `north/${snapshotId}`;
const query = new URLSearchParams({
  client: 'north',
  format: 'csv',
  code: 'A',
  one: batch,
  other: batch,
  starts: '0',
  sql: 'SELECT 1',
});

/** Sends a request to a route. */
const ask = async (method: string, route: string) => {
  if (method === 'POST' && route === '/api/clients') return running.post(route, { name: 'east' });
  if (route === '/api/told')
    return running.post(route, { scope: 'north', kind: 'late', mark: 'told', version: null });
  if (method === 'POST' && route === '/api/older') return running.post(route, { since: 0 });
  if (route.endsWith('/review')) return planEdits();
  if (route === '/api/reviews/:id') return write(await planEdits());
  if (route.includes('/tables/:table'))
    return running.send(`${route.replace(':table', 'balances')}?format=csv`);
  const named = route.replace(':client/:id', batch).replace(':command', 'codes').replace(':name', 'north');
  if (route.endsWith('/undo')) return running.post(named, { change: await findChange() });
  return method === 'POST' ? running.post(named, { action: 'lock' }) : running.send(`${named}?${query}`);
};

test('each route of the console works under the policy of the documentation', async () => {
  const options = { guards: [], isReadOnly: false, ending: new AbortController().signal };
  // Nothing is asked of this app but its routes.
  const { routes } = consoleApp(await testSession(data), { ...options, stock: {} as never });
  const ofData = routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  expect(ofData.length).toBeGreaterThan(10);
  for (const { method, path } of ofData) {
    const response = await ask(method, path);
    expect(response.status, `${path} ${JSON.stringify(response)}`).toBe(200);
  }
  const calls = statements.flatMap(({ Sid, Action }) => Action.map((action) => `${Sid} ${action}`));
  // A local run has neither, so deployment.test.ts calls them.
  const ofAws = ['Read cloudformation:DescribeStacks', 'ReadRefusals logs:FilterLogEvents'];
  const called = new Set([...used, ...ofAws]);
  expect([...called].toSorted()).toEqual(calls.toSorted());
});

test('without the statement for changes of clients, a change says which action is missing, and the page still reads', async () => {
  leftOut = 'ChangeClients';
  const message = expect.stringMatching(/^These credentials are not allowed .*dynamodb:GetItem /);
  expect(await running.post('/api/clients/north', { action: 'unlock' })).toMatchObject({
    ...{ status: 502, body: { message } },
  });
  expect((await running.get('/api/clients')).status).toBe(200);
  expect((await running.get('/api/state')).status).toBe(200);
});

test('without the statement for changes of clients, nobody reads a salt or a hash', async () => {
  leftOut = 'ChangeClients';
  const signal = AbortSignal.timeout(60_000);
  const reading = { dynamodb: testClient(engine.endpoint), table: names.Clients, signal };
  for (const name of ['Salt', 'Hash', 'PreviousSalt', 'PreviousHash'] as const) {
    const refused = readClients(v.pick(Client, ['Client', name]), reading);
    await expect(refused, name).rejects.toThrow('not authorized to perform: dynamodb:Scan');
  }
  expect((await readClients(v.pick(Client, ['Client', 'Plan']), reading)).clients).not.toEqual([]);
});

test.each([
  ['lists', 'WriteLists', /^These credentials are not allowed to do that: .*dynamodb:PutItem /],
  [
    'the history of lists',
    'WriteHistory',
    /dynamodb:PutItem on .*AdminRecords.*\nNothing was written, because a list/,
  ],
  [
    'reading this history',
    'ReadHistory',
    /dynamodb:Query on .*AdminRecords.*\nNothing was written, because a list/,
  ],
])(
  'without the statement for %s, a change is not written, and says which action is missing',
  async (_, statement, words) => {
    leftOut = statement;
    const plan = await running.post('/api/lists/codes/review', [edit('added', 'D')]);
    expect(plan.status).toBe(200);
    const written = await running.post(`/api/reviews/${plan.body.id}`, {});
    expect(await itemsOf(names.MaterialCodes)).not.toContainEqual(
      expect.objectContaining({ MaterialCode: { S: 'D' } }),
    );
    expect(written.body.message).toMatch(words);
    expect((await running.get('/api/tables/codes')).status).toBe(200);
  },
);
