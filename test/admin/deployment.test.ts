import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createProgram } from '../../admin/cli/main.ts';
import { openServer } from '../../local/http.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { tables as definitions, listNames } from '../../shared/tables.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { describeStacks } from '../doctor/aws-stub.ts';
import { onlyMatch, temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { storedClient } from '../support/clients.ts';
import { projectFolder } from '../support/run-app.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';
import { startTestConsole } from './console/test-console.ts';
import { adminHere, refusal } from './in-process.ts';
import { emptyDeployment, type Item, putBatch, putItems } from './tables.ts';

const gone = { Client: 'gone', RemovedAt: '2026-01-01T00:00:00.000Z' };
const { names, tables, data } = await emptyDeployment({ clients: ['warehouse', gone] });
const outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8')).Stack.Outputs;

const ARN = 'arn:aws:sts::123456789012:assumed-role/Admin/anna';
const identity = `<GetCallerIdentityResult><Arn>${ARN}</Arn></GetCallerIdentityResult>`;
const { AdminRecordsTableName: _, RecordRetentionDays: __, ...olderOutputs } = outputs;
const loggedOutputs = { ...outputs, RefusalLogGroups: 'changes,batches' };
const shortOutputs = { ...outputs, RecordRetentionDays: '50' };
const describeStack = describeStacks({
  Warehouses: outputs,
  Older: olderOutputs,
  Short: shortOutputs,
  Logged: loggedOutputs,
});
/** The searches of logs, and a line of the group for batches, on its second page. */
const searches: Record<string, unknown>[] = [];
let deniesLogs = false;
const refused = { code: 'request-refused', client: 'warehouse', status: 400, rule: 'StockBalance: number' };
const filterLogEvents = (body: string) => {
  const search = JSON.parse(body);
  searches.push(search);
  if (deniesLogs)
    return {
      status: 400,
      body: '{"__type":"AccessDeniedException","message":"logs:FilterLogEvents is denied"}',
    };
  const message = JSON.stringify({ ...refused, requestId: 'id', timestamp: new Date().toISOString() });
  const isFirst = search.nextToken === undefined;
  const page = isFirst
    ? { events: [], nextToken: 'more' }
    : { events: search.logGroupName === 'batches' ? [{ message }] : [] };
  return { status: 200, body: JSON.stringify(page) };
};
/** CloudFormation of one region with one stack, CloudWatch Logs, and the service that tells who calls. */
const aws = await openServer(async (incoming) => {
  const body = await text(incoming);
  if (incoming.headers['x-amz-target'] === 'Logs_20140328.FilterLogEvents') return filterLogEvents(body);
  const parameters = new URLSearchParams(body);
  // The signature is for one region. The service of another region refuses it.
  const isHere = incoming.headers.authorization?.includes('/eu-west-1/') === true;
  const found =
    parameters.get('Action') === 'GetCallerIdentity' ? identity : isHere && describeStack(parameters, '');
  if (found) return { status: 200, body: `<Response>${found}</Response>` };
  const message = `Stack with id ${parameters.get('StackName')} does not exist`;
  const error = `<Code>ValidationError</Code><Message>${message}</Message>`;
  return { status: 400, body: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
});
const dynamodb = await startFaultyEngine();
/** Calls that may read what was true a moment ago. */
const eventualReads: string[] = [];
dynamodb.decide((action, _, { body }) => {
  const isRead = /^(Scan|Query|(Batch)?GetItem)$/.test(action);
  if (isRead && !body.includes('"ConsistentRead":true')) eventualReads.push(`${action} ${body}`);
  if (action !== 'TransactWriteItems') return 'through';
  // A transaction needs the permissions of its writes, and none of its own.
  dynamodb.calls.splice(dynamodb.calls.indexOf(action), 1);
  const writes: object[] = JSON.parse(String(body)).TransactItems;
  dynamodb.calls.push(...writes.flatMap((write) => Object.keys(write)).map((kind) => `${kind}Item`));
  return 'through';
});
afterAll(async () => {
  await dynamodb.stop();
  aws.close();
  vi.unstubAllEnvs();
});

// Something to sweep, and two batches to compare, so that no call is left out.
await tables.put('BalanceSnapshots', {
  ...{ Client: 'warehouse:2', SnapshotId: '2026-01-01T00:00:00.000Z-orphan', RequestId: 'orphan' },
  ...{ ReceivedAt: '2026-01-01T00:00:00.000Z', EntryCount: 1, Parts: 2, Balances: {} },
});
await putBatch(names.BalanceSnapshots, 'warehouse', new Date(Date.now() - HOUR_MS), [entryOf('A', 1)]);
// In two parts: only the further parts of a batch are read by GetItem.
const longCode = 'A'.repeat(250);
const large = Array.from({ length: 1_500 }, (_, index) => entryOf(index ? `${longCode}${index}` : 'A', 2));
await putBatch(names.BalanceSnapshots, 'warehouse', new Date(), large);
for (const name of listNames) {
  const { partitionKey, list } = definitions[name];
  // One row for an import to change, and one to remove. It adds another.
  for (const code of [list.examples[0], list.examples[0].replace(/.$/, '9')])
    await tables.put(name, { [partitionKey]: code });
}
// Something to restore.
const restored = await createTable('MaterialCodes');
await putItems(restored, [{ MaterialCode: { S: 'Restored-1' } }]);

const env = {
  AWS_ENDPOINT_URL: aws.endpoint,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
  AWS_ACCESS_KEY_ID: 'someone',
  AWS_SECRET_ACCESS_KEY: 'secret',
  // The SDK must not read this machine's configuration or ask the network for credentials.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** The actions of the calls since the last time. */
const actions = () => [...new Set(dynamodb.calls.splice(0).map((action) => `dynamodb:${action}`))];

const HERE = ['--stack', 'Warehouses', '--region', 'eu-west-1'];
const PROFILE = { AWS_CONFIG_FILE: join(temporaryFolder(), 'config') };
writeFileSync(PROFILE.AWS_CONFIG_FILE, '[profile admin]\noutput = json\n');
const NOBODY = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };

/** Runs a command on the deployment of this environment. */
const adminOnDeployment = (line: readonly string[], changed: Record<string, string> = {}) => {
  for (const [name, value] of Object.entries({ ...env, AWS_REGION: undefined, ...changed }))
    vi.stubEnv(name, value);
  return adminHere(line);
};

describe('a deployment', () => {
  test.each([
    ['another stack', [...HERE, '--stack', 'Other'], {}, /Other does not exist\. An admin command also/],
    ['another region', [...HERE, '--region', 'eu-north-1'], {}, /^Stack with id Warehouses does not exist/],
    ['no region', HERE.slice(0, 2), {}, /^No AWS region is set. Set AWS_REGION. An admin command also takes/],
    ['no credentials', HERE, NOBODY, /^No AWS credentials were found \(.*\)\. Sign in, or set AWS_PROF/],
    ['an unknown profile', ['--profile', 'none'], PROFILE, /^There is no profile none in the AWS conf/],
    ['a profile without a region', ['--profile', 'admin'], PROFILE, /^No AWS region is set/],
  ])('that cannot be found because of %s is reported in one line', async (_, where, changed, words) => {
    const outcome = await adminOnDeployment(['changes', 'list', ...where], changed);
    expect(outcome).toEqual(refusal(words));
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('a deployment of an older version, without the table for records', () => {
  const older = [...HERE, '--stack', 'Older'];

  test.each([
    { line: ['codes', 'list'] },
    { line: ['check'] },
    { line: ['clients', 'list'] },
    { line: ['sql', 'SELECT 1'] },
  ])('is read by $line', async ({ line }) => {
    expect(await adminOnDeployment([...line, ...older])).toMatchObject({ code: 0 });
  });

  test('gets no change of a list: the command says to deploy this version, in one sentence', async () => {
    const before = await tables.rows('MaterialCodes');
    const file = join(temporaryFolder(), 'codes.csv');
    writeFileSync(file, 'MaterialCode,Name\nnew,x\n');
    const words = /^Deploy this version first: [^.]+ has no table AdminRecords, [^.]+\.\n$/;
    // Before a review, an import would show which of these rows would change.
    for (const line of [
      ['codes', 'import', file],
      ['codes', 'remove', definitions.MaterialCodes.list.examples[0]],
      ['codes', 'undo', '2026-11-28T08:00:00.000Z-1'],
      ['restore', 'MaterialCodes', '--from', 'none'],
    ])
      expect(await adminOnDeployment([...line, ...older])).toEqual(refusal(words));
    expect(await tables.rows('MaterialCodes')).toEqual(before);
  });

  test('gets no review and no mark in the console, but the same sentence', async () => {
    const olderData = temporaryFolder();
    const local = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
    writeFileSync(
      join(olderData, 'outputs.json'),
      JSON.stringify({ ...local, Stack: { Outputs: olderOutputs } }),
    );
    const console = await startTestConsole(olderData);
    onTestFinished(() => console.stop());
    const row = [{ kind: 'added', identifier: 'new', cells: [] }];
    for (const [path, body] of [
      ['lists/codes/review', row],
      ['lists/codes/undo', { change: '2026' }],
      ['told', { scope: 'north', kind: 'late', mark: 'told', version: null }],
    ] as const)
      expect(await console.post(`/api/${path}`, body)).toMatchObject({
        ...{ status: 400, body: { message: expect.stringMatching(/^Deploy this version first: /) } },
      });
  });

  test('gets no records back, and says to deploy this version', async () => {
    const line = ['restore', 'AdminRecords', '--from', restored, ...older];
    const words =
      /^Deploy this version first: the stack Older in eu-west-1 has no table AdminRecords, [^.]+\.\n$/;
    expect(await adminOnDeployment(line)).toEqual(refusal(words));
  });
});

describe('the refused requests of a deployment', () => {
  const check = (stack: string) =>
    adminOnDeployment(['check', '--kind', 'refused-request', '--json', ...HERE, '--stack', stack]);

  test('are read from the logs of the last day, page by page, and then from the last read on', async () => {
    const begun = Date.now();
    const found = await check('Logged');
    expect(JSON.parse(found.stdout)).toMatchObject([
      { Client: 'warehouse', Subject: 'StockBalance is not a number' },
    ]);
    const filter = { filterPattern: '{ $.code = "request-refused" }' };
    const groups = ['changes', 'changes', 'batches', 'batches'];
    const all = groups.map((logGroupName) => expect.objectContaining({ logGroupName, ...filter }));
    expect(searches).toEqual(all);
    expect(Math.abs(Number(searches[0]?.['startTime']) - begun + DAY_MS)).toBeLessThan(30_000);
    searches.splice(0);
    await check('Logged');
    expect(searches).toEqual(all);
    const overlap = 5 * MINUTE_MS;
    expect(Math.abs(Number(searches[0]?.['startTime']) - begun + overlap)).toBeLessThan(30_000);
  });

  test('are missing without the permission, as a sentence says, and all else is there', async () => {
    deniesLogs = true;
    const denied = await check('Logged');
    deniesLogs = false;
    expect(denied).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Refused requests are not shown\. These cred.*logs:FilterLogEvents/m),
    });
    // What was read before is still there.
    expect(JSON.parse(denied.stdout)).toMatchObject([{ Client: 'warehouse' }]);
    expect((await check('Logged')).stderr).not.toContain('not shown');
  });

  test('are missing in a deployment of an older version, as a sentence says', async () => {
    expect(await check('Older')).toMatchObject({
      ...{ code: 0, stdout: '[]\n' },
      stderr: expect.stringMatching(
        /^Refused requests are not shown\. Deploy this version first: the stack Older in eu-west-1 has no output RefusalLogGroups\.$/m,
      ),
    });
  });
});

test('a change of a list expires after the days of the output, its parts a day later, and nothing else expires', async () => {
  const file = join(temporaryFolder(), 'kept-50-days.csv');
  writeFileSync(file, 'MaterialCode,Name\nkept,x\n');
  const line = ['codes', 'import', file, ...HERE, '--stack', 'Short'];
  expect(await adminOnDeployment(line)).toMatchObject({ code: 0 });
  const records = await tables.rows('AdminRecords');
  const head = onlyMatch(records, ({ Source }) => Source?.S === 'kept-50-days.csv');
  const seconds = (item: Item | undefined) => Number(item?.['ExpiresAt']?.N);
  const begun = Date.parse(String(head['Id']?.S).slice(0, 24)) / 1_000;
  expect(Math.round(((seconds(head) - begun) * 1_000) / DAY_MS)).toBe(50);
  const part = onlyMatch(records, ({ Topic }) => Topic?.S === `MaterialCodes:${head['Id']?.S}`);
  expect((seconds(part) - seconds(head)) * 1_000).toBe(DAY_MS);
  const lasting = records.filter(({ ExpiresAt }) => !ExpiresAt);
  expect(lasting.map(({ Topic }) => Topic?.S)).toEqual(lasting.map(() => 'ListHistory'));
});

test('with a clock that is 15 days ahead, no batch is left out as expired, and no part is swept that is just written', async () => {
  const receivedAt = new Date();
  const expiresAt = new Date(receivedAt.getTime() + 10 * DAY_MS);
  const kept = { id: 'kept', expiresAt };
  const SnapshotId = await putBatch(names.BalanceSnapshots, 'warehouse', receivedAt, [entryOf('A', 1)], kept);
  const part = { Client: 'warehouse:3', SnapshotId: newSnapshotId(receivedAt, 'part'), RequestId: 'x' };
  const header = { ReceivedAt: receivedAt.toISOString(), EntryCount: 9, Parts: 3, Balances: {} };
  await tables.put('BalanceSnapshots', { ...part, ...header });
  vi.useFakeTimers({ toFake: ['Date'], now: receivedAt.getTime() + 15 * DAY_MS });
  onTestFinished(() => void vi.useRealTimers());
  const json = async (...line: string[]) =>
    JSON.parse((await adminOnDeployment([...line, '--json', ...HERE])).stdout);
  expect(await json('snapshots', 'list')).toContainEqual(expect.objectContaining({ SnapshotId }));
  const swept = await json('snapshots', 'sweep', '--dry-run');
  expect(swept).toMatchObject([{ SnapshotId: '2026-01-01T00:00:00.000Z-orphan' }]);
  const countCalls = async () => {
    dynamodb.calls.splice(0);
    await json('snapshots', 'list');
    return dynamodb.calls.length;
  };
  const ahead = await countCalls();
  vi.useRealTimers();
  // Nothing was forgotten that has to be read again.
  expect(ahead).toBe(await countCalls());
});

/** `LIST` stands for the command of each list. */
const namesOf = (command: string) =>
  command.startsWith('LIST ')
    ? listNames.map((name) => command.replace('LIST', definitions[name].list.command))
    : [command];

/** The rows of the documentation: command, actions. */
const page = readFileSync(join(projectFolder, 'docs/permissions.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([^|]+)` +\| ((?:`[a-z]+:[A-Za-z]+`(?:, )?)+) *\|$/gm)];
const documented = rows.flatMap(([, command = '', named = '']) =>
  namesOf(command).map((name) => [name, named.match(/[a-z]+:[A-Za-z]+/g) ?? []] as const),
);

describe('the permissions that the documentation names', () => {
  /** The further words of a command. */
  const moreWords: Record<string, string[]> = {
    'snapshots show': ['latest'],
    'snapshots diff': ['previous', 'latest'],
    told: ['--list', 'codes', '--kind', 'unlisted-code'],
    history: ['A'],
    compare: ['7d'],
    sql: ['SELECT 1'],
    'clients show': ['warehouse'],
    'clients add': ['gone'],
    'clients rotate': ['warehouse'],
    'clients lock': ['warehouse'],
    'clients unlock': ['warehouse'],
    'clients set': ['warehouse', '--plan', 'slow'],
    'clients remove': ['gone', '--yes'],
    report: ['--out', join(temporaryFolder(), 'report.xlsx')],
  };
  for (const name of listNames) {
    const { partitionKey, list } = definitions[name];
    const { command, examples } = list;
    const file = join(temporaryFolder(), `${command}.csv`);
    const rows = examples.map((example) => `${example},imported`);
    writeFileSync(file, [`${partitionKey},Name`, ...rows, ''].join('\n'));
    moreWords[`${command} import`] = [file, '--replace', '--yes'];
    moreWords[`${command} remove`] = [examples[0], '--yes'];
  }

  /** Undoing an import needs the most. */
  const findLastChange = async (command: string): Promise<string> => {
    const { stdout } = await adminOnDeployment([...command.split(' '), '--last', '1', '--json', ...HERE]);
    return JSON.parse(stdout)[0].Change;
  };

  test('are those of all commands', async () => {
    const leaves = ({ commands }: CommandUnknownOpts, path: string[]): string[] =>
      commands.length === 0
        ? [path.join(' ')]
        : commands.flatMap((inner) => leaves(inner, [...path, inner.name()]));
    const all = leaves(await createProgram(), []).toSorted();
    // The console's requests have a test of their own.
    expect([...documented.map(([name]) => name), 'console'].toSorted()).toEqual(all);
  });

  test.each(documented)('are what `%s` calls, and no more', async (name, documentedActions) => {
    // Nothing is known of an earlier command.
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', temporaryFolder());
    const from = name === 'restore' ? ['MaterialCodes', '--from', restored] : [];
    eventualReads.splice(0);
    const line = [...name.split(' '), ...from, ...(moreWords[name] ?? []), ...HERE];
    if (name.endsWith(' undo'))
      line.splice(2, 0, await findLastChange(name.replace('undo', 'history')), '--yes');
    actions();
    expect(await adminOnDeployment(line)).toMatchObject({ code: 0 });
    expect(actions().toSorted()).toEqual(documentedActions.toSorted());
    // Else a command could miss what was written a moment ago, such as a new client.
    expect(eventualReads.splice(0)).toEqual([]);
  });

  test('are named in each change of a client by the person or role that has them', async () => {
    expect(await adminOnDeployment(['clients', 'lock', 'warehouse', ...HERE])).toMatchObject({ code: 0 });
    const { client } = await storedClient(testClient(), names.Clients, 'warehouse');
    expect(client.ChangedBy).toBe(ARN);
  });
});
