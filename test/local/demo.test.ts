import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { tableNames } from '../../shared/tables.ts';
import { adminHere, adminHereOn } from '../admin/in-process.ts';
import { assembly, renamedAssembly, temporaryFolder } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { eventually, postControl, rowsOf } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';
import { expectOneLine, inFolder, outputOf, startWithEngine } from './in-process-command.ts';

/** Runs the lines of a script, and returns the statuses of the responses to its curl commands. */
const statusesOf = async (script: string) => {
  const statusOnly = 'curl() { command curl --silent --output /dev/null --write-out "%{http_code} " "$@"; }';
  return (await outputOf(`${statusOnly}\n${script}`)).trim().split(' ');
};

/** The README's blocks that a reader pastes into a shell with BASE_URL and CREDENTIALS set. */
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```sh\n(curl -u "\$CREDENTIALS" "\$BASE_URL.*?)```/gs)];

const DEMO = ['east', 'north', 'south', 'warehouse'];

const INVOCATION = 'npx warehouse-admin --local ';

const pages = ['docs/admin.md', 'docs/files.md'];

/** The commands in the pages' console blocks, with the output below each. */
const entries = pages
  .flatMap((page) => [...readFileSync(join(projectFolder, page), 'utf8').matchAll(/```console\n(.*?)```/gs)])
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((entry) => {
    const [line = '', ...output] = entry.trimEnd().split('\n');
    return { line, output };
  });

/** Times and ages differ from run to run. */
const timeless = (line: string) =>
  line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3}Z)?)?/g, 'TIME')
    .replaceAll(/ +\d+ (s|min|h|d)(?= {2}|$)/g, ' AGE')
    .trimEnd();

const data = temporaryFolder();
for (const { line, output } of entries) {
  const file = /^cat (.*)$/.exec(line)?.[1];
  if (file) writeFileSync(join(data, file), `${output.join('\n')}\n`);
}
let args: string[];
let started: number;
let run: Awaited<ReturnType<typeof startWithEngine>>;
let filled: string[][];

afterEach(() => vi.unstubAllEnvs());
beforeAll(async () => {
  args = ['--demo', `--assembly=${renamedAssembly(await assembly(), 'Demo')}`];
  started = Date.now();
  run = await startWithEngine(data, args);
  filled = await Promise.all(DEMO.map(idsOf));
});

/** Each id begins with the time of receipt. */
const idsOf = (name: string) => new TableReader(run.outputs()).snapshotIds(name);

const sendWatchAndNowhere = async (to: typeof run) => {
  await send(to.url('nowhere'));
  // The watch sends a message on a Monday.
  await postControl(to, '/watch', { time: '2026-11-23T06:05:00Z' });
};

const outcomeOf = async (line: string) => {
  let seen = '';
  const words = line.replace(INVOCATION, '').split(' ');
  const args = words.map((word) => (word.endsWith('.csv') ? join(data, word) : word));
  await adminHereOn(data, args, {
    onScreen: (text) => {
      seen += text;
    },
  });
  return seen.trimEnd().split('\n');
};

const commands = entries.filter(({ line }) => line.startsWith(INVOCATION));

test('a start with --demo fills empty tables with a month of four warehouses, and shows each step with its time', async () => {
  expect(run.output.stderr).toBe('');
  const [steps = ''] = run.output.stdout.split('\nReady.');
  for (const line of steps.trimEnd().split('\n')) expect(line).toMatch(/^[A-Z].+ … .*\d\.\d s$/);
  expect(steps).toMatch(/^Starting the DynamoDB engine … http\S+, \d.+demo/s);
  const clients = await rowsOf(run, 'Clients');
  expect(clients.map(({ Client }) => Client).toSorted()).toEqual(DEMO);
  for (const { Client, SilenceFrom } of clients) {
    const times = filled[DEMO.indexOf(Client)]?.map((id) => Date.parse(id.slice(0, 24))) ?? [];
    const ages = times.map((time) => (started - time) / 3_600_000);
    expect(Math.max(...ages)).toBeGreaterThan(28 * 24);
    expect(Math.min(...ages) > 26).toBe(Client === 'north');
    // The silence of those that the demo adds counts, so that it has a client that is late.
    expect(Math.min(...times) > Date.parse(SilenceFrom)).toBe(Client !== 'warehouse');
  }
  const findings: Record<string, string>[] = JSON.parse(
    (await adminHereOn(data, ['check', '--json'])).stdout,
  );
  // The page of admins shows the others.
  const near = { Kind: 'unlisted-code', Advice: expect.stringContaining('Did you mean Kabel-8/002?') };
  for (const finding of [
    { Client: 'south', ...near },
    { Client: 'north', Kind: 'look-alike' },
  ])
    expect(findings).toContainEqual(expect.objectContaining(finding));
  expect(findings.filter(({ Client }) => Client === 'warehouse')).toEqual([]);
  for (const [name, password] of Object.entries(run.outputs().Clients))
    expect((await run.get('material-codes', basic(name, password))).status).toBe(200);
});

test('a start writes outputs.json for scripts, and with DYNAMODB_ENDPOINT starts no engine', () => {
  const { BaseUrl } = run.outputs();
  expect(run.outputs()).toEqual({
    BaseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/live$/),
    DynamoDbEndpoint: inject('dynamoDbEndpoint'),
    ControlEndpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    Region: 'eu-central-1',
    Stack: { Name: 'Demo', Outputs: expect.objectContaining({ BaseUrl, Plans: 'standard:20,slow:2' }) },
    Tables: Object.fromEntries(tableNames.map((name) => [name, expect.stringMatching(new RegExp(name))])),
    Clients: Object.fromEntries(DEMO.map((name) => [name, expect.stringMatching(/^.{32}$/)])),
  });
  expect(existsSync(join(data, engineProgram().dataFile))).toBe(false);
});

test('a start refuses a second run in its data folder, or on its port, in one line', async () => {
  await expectOneLine(await inFolder(data), new RegExp(`Another run \\(process ${process.pid}\\) uses`));
  const { port } = new URL(run.outputs().BaseUrl);
  const other = temporaryFolder();
  const onPort = [...(await inFolder(other)), `--port=${port}`];
  await expectOneLine(onPort, new RegExp(`^Port ${port} is in use. Choose another with --port\\.`));
  // It is refused before its engine starts.
  expect(readdirSync(other)).toEqual([]);
});

test.each(commands)('the pages show the output of `$line`', async ({ line, output }) => {
  const outcome = (await outcomeOf(line)).map(timeless);
  const isCut = output.at(-1) === '…';
  const shown = (isCut ? output.slice(0, -1) : output).map(timeless);
  for (const [index, text] of shown.entries()) {
    // A line may be cut, too, such as the rule below the titles.
    if (text.endsWith('…')) expect(outcome[index]?.startsWith(text.slice(0, -1))).toBe(true);
    else expect(outcome[index]).toBe(text);
  }
  if (!isCut) expect(outcome).toHaveLength(shown.length);
});

test('a start prints variables and commands that work when pasted, and so do the examples of the README', async () => {
  const { stdout } = run.output;
  const [variables = '', request = ''] = stdout.split('\n').filter((line) => /^(export|curl) /.test(line));
  expect([variables, request]).toEqual([expect.stringMatching(/^export /), expect.stringMatching(/^curl /)]);
  expect(examples).not.toEqual([]);
  const script = [variables, request, ...examples.map(([, block]) => block)].join('\n');
  expect(await statusesOf(script)).toEqual(Array(script.match(/^curl /gm)?.length).fill('200'));
  const adminCommand = /npx warehouse-admin (.*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
  expect(await adminHere(adminCommand)).toMatchObject({ code: 0 });
});

test('a run prints one line per request, and each message of the watch', async () => {
  // Time, method, path, status, milliseconds, client.
  const served = /^\d\d:\d\d:\d\d\.\d{3} GET \/rest\/\S+\/material-codes 200 \d+\.\d ms warehouse$/m;
  await eventually(() => served.test(run.output.stdout));
  await sendWatchAndNowhere(run);
  const refused = / GET \/rest\/warehouse-control\/nowhere 401 \d+\.\d ms -\n/;
  await eventually(() => refused.test(run.output.stdout));
  expect(run.output.stdout).toMatch(/\nWarehouseControl: \d+ late, \d+ back\n.+\n/);
});

test('the next start keeps data and passwords, says that it adds no demo, and with --quiet prints only its URL', async () => {
  const { Clients, Tables } = run.outputs();
  await run.stop();
  const again = await startWithEngine(data, [...args, '--quiet']);
  expect(again.outputs()).toMatchObject({ Clients, Tables });
  expect(await idsOf('east')).toEqual(filled[0]);
  await sendWatchAndNowhere(again);
  expect(again.output.stdout).toBe(`Ready at ${again.outputs().BaseUrl}\n`);
  expect(again.output.stderr).toMatch(/^The tables in .+ already contain data, so no demo was added\. .+\n$/);
});
