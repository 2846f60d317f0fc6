import { beforeAll, expect, test } from 'vitest';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../local/synthesis/stack.ts';
import { hashPassword } from '../../shared/clients/password.ts';
import { operationNames } from '../../shared/operations.ts';
import { fieldsOf } from '../infra/monitoring/log-query.ts';
import { assembly, editedAssembly, onlyMatch } from '../support/assembly.ts';
import { addClient } from '../support/clients.ts';
import { basic } from '../support/http-client.ts';
import { eventually, type LocalRun, permissions, postControl, startLocal } from '../support/local-run.ts';
import { functionIdOf, sendRequest } from '../support/operations.ts';
import { TableReader } from '../support/table-reader.ts';

/* One run whose requests use every function, and every permission of the template. */

let run: LocalRun;
let before: Awaited<ReturnType<typeof permissions>>;
let message: string;

const runWatch = async (time: string) => {
  run.output.messages = '';
  expect((await postControl(run, '/watch', { time })).json()).toEqual({ time });
  return run.output.messages;
};

beforeAll(async () => {
  const assemblyFolder = await editedAssembly(({ statementsOf }) => {
    const statements = statementsOf('PostChange');
    const writing = onlyMatch(statements, ({ Action }) => [Action].flat().includes('dynamodb:PutItem'));
    writing.Action = ['dynamodb:PutItem', 'dynamodb:DeleteItem'];
    statements.push({ Effect: 'Deny', Action: 'dynamodb:Scan', Resource: '*' });
  });
  run = await startLocal({ assemblyFolder });
  before = await permissions(run);
  const { client, names } = new TableReader(run.outputs());
  const add = (name: string, attributes: object) =>
    addClient(client, names['Clients'] ?? '', name, attributes);
  const now = new Date().toISOString();
  const { Salt: PreviousSalt, Hash: PreviousHash } = hashPassword('previous');
  await add('changed', { PreviousSalt, PreviousHash, PreviousUntil: '2999-01-01T00:00:00.000Z' });
  const locked = await add('locked', { LockedAt: now });
  const removed = await add('removed', { RemovedAt: now });
  await add('silo-7', { SilenceFrom: '2026-11-17T05:30:00.000Z', SilenceHours: 24 });
  const credentials = [
    ['changed', 'previous'],
    ['warehouse', 'wrong'],
    ['locked', locked],
    ['removed', removed],
  ] as const;
  const responses = [];
  for (const name of operationNames) responses.push(await sendRequest(run, name));
  for (const [name, password] of credentials) responses.push(await run.get('changes', basic(name, password)));
  expect(responses.map(({ status }) => status)).toEqual([
    ...operationNames.map(() => 200),
    404,
    401,
    401,
    401,
  ]);
  message = await runWatch('2026-11-18T06:05:00Z');
});

test('a watch by the control server publishes to the terminal and the log who is late, and the same when it is repeated', async () => {
  expect(message).toMatch(/silo-7 .*2026-11-18 05:30 UTC/);
  expect(run.functionsLog()).toMatch(/^\S+MonitoringAlarms\S+ \{.*silo-7 .*05:30 UTC/m);
  expect(await runWatch('2026-11-18T06:59:59Z')).toBe(message);
  expect(await runWatch('2026-11-18T07:05:00Z')).toBe('');
});

test('a watch by the control server without a time is one for now', async () => {
  const { time } = (await postControl(run, '/watch', {})).json();
  expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000);
});

test('the log has the fields of the saved queries, and counts wrong credentials', async () => {
  let logged: Record<string, unknown>[] = [];
  const { stackName, template } = readAssembly(await assembly());
  const queries = new TemplateStack(stackName, template).ofType('AWS::Logs::QueryDefinition');
  const asked = queries.flatMap(({ properties }) => {
    const QueryString = String(properties['QueryString']);
    const [, codes = ''] = /filter code (?:=|in) (.+)/.exec(QueryString) ?? [];
    const fields = fieldsOf(QueryString);
    return [...codes.matchAll(/"([a-z-]+)"/g)].map(([, code = '']) => ({ code, fields }));
  });
  expect(asked.map(({ code }) => code)).toEqual([
    ...['request-served', 'credentials-refused', 'previous-password-used', 'client-locked', 'client-removed'],
  ]);
  // The log is written after the response.
  await eventually(() => {
    logged = (run.functionsLog().match(/\{.*\}(?=\n)/g) ?? []).map((text) => JSON.parse(text));
    return asked.every(({ code }) => logged.some((line) => line['code'] === code));
  });
  for (const { code, fields } of asked) {
    const found = logged.filter((line) => line['code'] === code).flatMap((line) => Object.keys(line));
    expect(found, code).toEqual(expect.arrayContaining(fields));
  }
  const metric = { Namespace: 'WarehouseControl', Metrics: [{ Name: 'WrongCredentials' }], Dimensions: [[]] };
  expect(logged.filter((line) => '_aws' in line)).toMatchObject([
    { WrongCredentials: 1, _aws: { CloudWatchMetrics: [metric] } },
  ]);
});

test('the policies of the template grant exactly the permissions that the service uses, and one more action is reported as unused', async () => {
  expect(before.granted.length).toBeGreaterThanOrEqual(20);
  expect(before.unused).toEqual(before.granted);
  const logged = ['clients-watched', ...operationNames.map(functionIdOf)];
  await eventually(() => logged.every((text) => run.functionsLog().includes(text)));
  expect((await permissions(run)).unused).toEqual([
    {
      role: expect.stringMatching(/PostChangeRole/),
      action: 'dynamodb:DeleteItem',
      resource: expect.stringMatching(/:table\/.+ChangeTimestamps/),
    },
  ]);
});
