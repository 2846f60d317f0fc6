import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProgram } from '../../admin/main.ts';
import { catalogNames, tables } from '../../shared/tables.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { largeBatch } from '../support/batches.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';
import { adminOnDeployment } from './command.ts';
import { adminHere } from './in-process.ts';
import { startStackServer } from './stack-server.ts';

type Stopping = { stop(): unknown };

let run: LocalRun;
let env: Record<string, string>;
let actions: () => string[];
const open: Stopping[] = [];

beforeAll(async () => {
  run = await startLocal({ demo: true });
  const { DynamoDbEndpoint, SecretsEndpoint, Stack } = run.outputs();
  const stacks = await startStackServer({ name: 'Warehouses', region: 'eu-west-1' }, Stack.Outputs);
  const dynamodb = await startFaultProxy(DynamoDbEndpoint);
  dynamodb.decide((action, _, { body }) => {
    if (action !== 'TransactWriteItems') return 'through';
    // A transaction needs the permissions of its writes, and none of its own.
    dynamodb.calls.splice(dynamodb.calls.indexOf(action), 1);
    const writes: object[] = JSON.parse(String(body)).TransactItems;
    dynamodb.calls.push(...writes.flatMap((write) => Object.keys(write)).map((kind) => `${kind}Item`));
    return 'through';
  });
  const secrets = await startFaultProxy(SecretsEndpoint);
  open.push(stacks, dynamodb, secrets);
  const tables = new TableReader(run.outputs());
  // Something to sweep, and a batch past one item, so that no call is left out.
  await tables.put('BalanceSnapshots', {
    Client: 'warehouse:2',
    SnapshotId: '2026-01-01T00:00:00.000Z-orphan',
    ReceivedAt: '2026-01-01T00:00:00.000Z',
    RequestId: 'orphan',
    EntryCount: 1,
    Parts: 2,
    Balances: {},
  });
  // Something to put back.
  const AttributeName = 'MaterialCode';
  await tables.client.send(
    new CreateTableCommand({
      TableName: 'restored',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    }),
  );
  const lost = { MaterialCode: { S: 'Restored-1' } };
  await tables.client.send(new PutItemCommand({ TableName: 'restored', Item: lost }));
  expect((await run.post('material-stock-balance', largeBatch())).status).toBe(200);
  env = {
    AWS_ENDPOINT_URL_CLOUDFORMATION: stacks.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ACCESS_KEY_ID: 'someone',
    AWS_SECRET_ACCESS_KEY: 'secret',
    // The SDK must not read this machine's configuration or ask the network for credentials.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  actions = () => [
    ...new Set([
      ...dynamodb.calls.splice(0).map((action) => `dynamodb:${action}`),
      ...secrets.calls.splice(0).map((action) => `secretsmanager:${action}`),
    ]),
  ];
});
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()));
  await run.stop();
});

const HERE = ['--stack', 'Warehouses', '--region', 'eu-west-1'];

describe('a deployment', () => {
  test('is found by the name and region of its stack', async () => {
    const { code, stdout, stderr } = await adminOnDeployment(
      ['snapshots', 'list', '--last', '1', ...HERE],
      env,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^warehouse +2/m);
  });

  test.each([
    [
      'a stack that is not there',
      ['--stack', 'Other', '--region', 'eu-west-1'],
      {},
      'Stack with id Other does not exist. Give the deployment with --stack and --region; for a run on this machine, add --local.',
    ],
    [
      'another region',
      ['--stack', 'Warehouses', '--region', 'eu-north-1'],
      {},
      'Stack with id Warehouses does not exist',
    ],
    [
      'no region',
      ['--stack', 'Warehouses'],
      {},
      'No AWS region is set: give --region, or set AWS_REGION; for a run on this machine, add --local.',
    ],
    [
      'no credentials',
      HERE,
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      /^No AWS credentials were found \(.*\)\. Sign in, or set AWS_PROFILE or --profile; for a run on this machine, add --local\.$/,
    ],
    [
      'a profile that is not there',
      [...HERE, '--profile', 'none'],
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      /^No AWS credentials were found/,
    ],
  ])('that cannot be found because of %s is reported in one line', async (_, where, changed, words) => {
    const { code, stdout, stderr } = await adminOnDeployment(['changes', 'list', ...where], {
      ...env,
      ...changed,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd()).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

/** `LIST` stands for the command of each list. */
const namesOf = (command: string) =>
  command.startsWith('LIST ')
    ? catalogNames.map((name) => command.replace('LIST', tables[name].catalog.command))
    : [command];

/** The table of the documentation: command, actions. */
const documented = () => {
  const text = readFileSync(join(projectFolder, 'docs/permissions.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([^|]+)` +\| ((?:`[a-z]+:[A-Za-z]+`(?:, )?)+) *\|$/gm)];
  return new Map(
    rows.flatMap(([, command = '', actions = '']) =>
      namesOf(command).map((name) => [name, actions.match(/[a-z]+:[A-Za-z]+/g) ?? []] as const),
    ),
  );
};

describe('the permissions that the documentation names', () => {
  /** The further words of a command. */
  const moreWords: Record<string, string[]> = {
    'snapshots show': ['latest'],
    'snapshots diff': ['previous', 'latest'],
    history: ['Болт-1/006'],
    'clients show': ['warehouse'],
    'clients rotate': ['warehouse', '--yes'],
    'clients set-password': ['warehouse', '--yes'],
    report: ['--out', join(temporaryFolder(), 'report.html')],
    restore: ['MaterialCodes', '--from', 'restored'],
  };
  for (const name of catalogNames) {
    const { partitionKey, catalog } = tables[name];
    const { command, examples } = catalog;
    const file = join(temporaryFolder(), `${command}.csv`);
    const rows = examples.map((example) => `${example},imported`);
    writeFileSync(file, [`${partitionKey},Name`, ...rows, ''].join('\n'));
    moreWords[`${command} import`] = [file, '--replace', '--yes'];
    moreWords[`${command} remove`] = [examples[0], '--yes'];
  }

  beforeAll(async () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    // One row for an import to change. It adds the other, and removes those of the demo.
    for (const name of catalogNames) {
      const { partitionKey, catalog } = tables[name];
      await new TableReader(run.outputs()).put(name, { [partitionKey]: catalog.examples[0] });
    }
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test('are those of all commands', async () => {
    const leaves = ({ commands }: CommandUnknownOpts, path: string[]): string[] =>
      commands.length === 0
        ? [path.join(' ')]
        : commands.flatMap((inner) => leaves(inner, [...path, inner.name()]));
    const all = leaves(await createProgram(), []).toSorted();
    // The console's requests have a test of their own.
    expect([...documented().keys(), 'console'].toSorted()).toEqual(all);
  });

  test.each([...documented()])('are what `%s` calls, and no more', async (name, documentedActions) => {
    actions();
    const line = [...name.split(' '), ...(moreWords[name] ?? []), ...HERE];
    const isAsking = name === 'clients set-password';
    const { code } = await (isAsking ? adminOnDeployment(line, env, 'another password') : adminHere(line));
    expect(code).toBe(0);
    expect(actions().toSorted()).toEqual(documentedActions.toSorted());
  });
});
