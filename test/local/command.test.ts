import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { banner } from '../../local/cli/messages.ts';
import { listen } from '../../local/http.ts';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { tableNames } from '../../shared/tables.ts';
import { admin } from '../admin/command.ts';
import { assembly, renamedAssembly, temporaryFolder } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { eventually, postControl, rowsOf } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';
import { runLocal, startInProcess } from './in-process-command.ts';

afterEach(() => vi.unstubAllEnvs());

/** Runs the lines of a script, and returns what they print. */
const outputOf = async (script: string, env: Record<string, string> = {}) => {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  return (await promisify(execFile)('bash', ['-c', script], options)).stdout;
};

/** Runs the lines of a script, and returns the statuses of the responses to its curl commands. */
const statusesOf = async (script: string, env?: Record<string, string>) => {
  const statusOnly = 'curl() { command curl --silent --output /dev/null --write-out "%{http_code} " "$@"; }';
  return (await outputOf(`${statusOnly}\n${script}`, env)).trim().split(' ');
};

/** The README's blocks that a reader pastes into a shell with BASE_URL and CREDENTIALS set. */
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```sh\n(curl -u "\$CREDENTIALS" "\$BASE_URL.*?)```/gs)];

/** Expects one line with the cause on standard error, no address, and exit code 1. */
const expectOneLine = async (args: string[], what: RegExp) => {
  const { code, stdout, stderr } = await runLocal(args).exit;
  expect(stderr).toMatch(what);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).not.toContain('http');
  expect(code).toBe(1);
};

const inFolder = async (data: string) => ['--port=0', `--assembly=${await assembly()}`, `--data=${data}`];

const startIn = async (data: string, ...args: string[]) =>
  startInProcess(data, [`--assembly=${await assembly()}`, ...args]);

const DEMO = ['east', 'north', 'south', 'warehouse'];

describe('a start', () => {
  test('prints variables and commands that work when pasted, and so do the examples of the README', async () => {
    const run = await startIn(temporaryFolder());
    const { BaseUrl, Clients } = run.outputs();
    const lines = run.output.stdout.split('\n');
    const [variables = '', request = ''] = lines.filter((line) => /^(export|curl) /.test(line));
    expect(await statusesOf(`${variables}\n${request}`)).toEqual(['200']);
    const adminCommand = /npx warehouse-admin (.*)$/m.exec(run.output.stdout)?.[1]?.split(' ') ?? [];
    expect(await admin(run.data, adminCommand)).toMatchObject({ code: 0 });
    // One line per request: time, method, path, status, milliseconds, client.
    const served = /^\d\d:\d\d:\d\d\.\d{3} GET \/rest\/\S+\/material-codes 200 \d+\.\d ms warehouse$/m;
    await eventually(() => served.test(run.output.stdout));
    const env = { BASE_URL: BaseUrl, CREDENTIALS: `warehouse:${Clients['warehouse']}` };
    expect(examples).not.toEqual([]);
    for (const [, block = ''] of examples) {
      expect(await statusesOf(block, env)).toEqual(Array(block.match(/^curl /gm)?.length).fill('200'));
    }

    await send(run.url('nowhere'));
    const refused = / GET \/rest\/warehouse-control\/nowhere 401 \d+\.\d ms -\n/;
    await eventually(() => refused.test(run.output.stdout));
    // The watch sends a message on a Monday.
    await postControl(run, '/watch', { time: '2026-11-23T06:05:00Z' });
    expect(run.output.stdout).toContain('\nWarehouseControl: 0 late, 0 back\nNo client is late.\n');
  });

  test('reuses the synthesis of an earlier start with the same settings', async () => {
    const data = temporaryFolder();
    vi.stubEnv('CDK_APP', `cp -rL ${await assembly()}/. "$CDK_OUTDIR"`);
    for (const expected of [expect.not.stringContaining('reused'), expect.stringContaining('reused')]) {
      const run = await startInProcess(data, ['--memory']);
      expect((await run.get('material-codes')).status).toBe(200);
      expect(run.output.stdout).toEqual(expected);
      await run.stop();
    }
  });

  test('writes outputs.json for scripts, and refuses a second run in the same data folder', async () => {
    const data = temporaryFolder();
    const first = await startIn(data, '--quiet');
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { BaseUrl, Clients } = first.outputs();
    expect(first.outputs()).toEqual({
      BaseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/live$/),
      DynamoDbEndpoint: url,
      ControlEndpoint: url,
      Region: 'eu-central-1',
      Stack: {
        Name: 'WarehouseControl',
        Outputs: expect.objectContaining({ BaseUrl, Plans: 'standard:20,slow:2' }),
      },
      Tables: Object.fromEntries(tableNames.map((name) => [name, expect.stringMatching(new RegExp(name))])),
      Clients: { warehouse: expect.stringMatching(/^.{32}$/) },
    });
    await send(first.url('nowhere'));
    await postControl(first, '/watch', { time: '2026-11-23T06:05:00Z' });
    expect(first.output.stdout).toBe(`Ready at ${BaseUrl}\n`);
    await expectOneLine(await inFolder(data), new RegExp(`Another run \\(process ${process.pid}\\) uses`));
    const authorization = first.authorization();
    expect((await first.get('material-codes', authorization)).status).toBe(200);
    await first.stop();

    const second = await startIn(data, '--quiet');
    expect(second.outputs().Clients).toEqual(Clients);
    expect((await second.get('material-codes', authorization)).status).toBe(200);
  });

  test('with --demo fills empty tables once with a month of four warehouses, and shows each step with its time', async () => {
    vi.stubEnv('DYNAMODB_ENDPOINT', inject('dynamoDbEndpoint'));
    const data = temporaryFolder();
    const args = ['--demo', `--assembly=${renamedAssembly(await assembly(), 'Demo')}`];
    const started = Date.now();
    const run = await startInProcess(data, args);
    expect(run.output.stderr).toBe('');
    const [steps = ''] = run.output.stdout.split('\nReady.');
    for (const line of steps.trimEnd().split('\n')) expect(line).toMatch(/^[A-Z].+ … .*\d\.\d s$/);
    expect(steps).toMatch(/engine.+\n.+demo/s);
    const clients = await rowsOf(run, 'Clients');
    expect(clients.map(({ Client }) => Client).toSorted()).toEqual(DEMO);
    // Begins with the time of receipt.
    const idsOf = (name: string) => new TableReader(run.outputs()).snapshotIds(name);
    const filled = await Promise.all(DEMO.map(idsOf));
    for (const { Client, SilenceFrom } of clients) {
      const times = filled[DEMO.indexOf(Client)]?.map((id) => Date.parse(id.slice(0, 24))) ?? [];
      const ages = times.map((time) => (started - time) / 3_600_000);
      expect(Math.max(...ages)).toBeGreaterThan(28 * 24);
      expect(Math.min(...ages) > 26).toBe(Client === 'north');
      // The silence of those that the demo adds counts, so that it has a client that is late.
      expect(Math.min(...times) > Date.parse(SilenceFrom)).toBe(Client !== 'warehouse');
    }
    const checked = await admin(data, ['check', '--json']);
    const findings: Record<string, string>[] = JSON.parse(checked.stdout);
    const near = { Kind: 'unlisted-code', Advice: expect.stringContaining('Did you mean Kabel-8/002?') };
    for (const finding of [
      { Kind: 'halved-snapshot', Client: 'east' },
      { Kind: 'unit-differs', Client: 'south' },
      { Client: 'south', ...near },
      { Kind: 'look-alike', Client: 'north' },
    ])
      expect(findings).toContainEqual(expect.objectContaining(finding));
    expect(findings.filter(({ Client }) => Client === 'warehouse')).toEqual([]);
    const { Clients } = run.outputs();
    for (const name of DEMO) {
      const authorization = basic(name, Clients[name] ?? '');
      expect((await run.get('material-codes', authorization)).status).toBe(200);
    }
    await run.stop();

    const again = await startInProcess(data, [...args, '--quiet']);
    expect(again.outputs().Clients).toEqual(Clients);
    expect(await Promise.all(DEMO.map(idsOf))).toEqual(filled);
    expect(again.output.stderr).toMatch(
      /^The tables in .+ already contain data, so no demo was added\. .+\n$/,
    );
  });

  test('without a client that can sign in says how to add one', async () => {
    expect(banner({ BaseUrl: 'http://127.0.0.1:3000/live', Clients: {} }, 'data')).toMatch(
      /^\nReady\. .*warehouse-admin --local --data data clients add NAME\n/,
    );
  });

  test('uses the engine of DYNAMODB_ENDPOINT if it is set, and starts none', async () => {
    vi.stubEnv('DYNAMODB_ENDPOINT', inject('dynamoDbEndpoint'));
    const assemblyFolder = renamedAssembly(await assembly(), 'Existing');
    const run = await startInProcess(temporaryFolder(), [`--assembly=${assemblyFolder}`, '--quiet']);
    expect(run.outputs().DynamoDbEndpoint).toBe(inject('dynamoDbEndpoint'));
    expect((await run.get('material-codes')).status).toBe(200);
    await run.stop();
    expect(existsSync(join(run.data, engineProgram().dataFile))).toBe(false);
  });

  test('with --help lists the options that docs/local.md has', async () => {
    const { code, stdout } = await runLocal(['--help']).exit;
    expect(code).toBe(0);
    const page = readFileSync(join(projectFolder, 'docs/local.md'), 'utf8');
    const optionsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    const listed = optionsIn(stdout, /^ {2}(--[a-z-]+)/gm);
    expect(listed).toContain('--port');
    expect(optionsIn(page, /^\| `(--[a-z-]+)/gm)).toEqual(listed);
  });
});

test.each([
  'DOMAIN\\user:secret',
  'it\'s:$HOME `id` "x" !!',
  'Склад:two\nlines and an end ',
  "user:it\\'s '\\''",
])('the printed credentials are safe for a shell: %j', async (credentials) => {
  const [userName = '', password = ''] = credentials.split(/:(.*)/s);
  const outputs = { BaseUrl: 'http://127.0.0.1:3000/live', Clients: { [userName]: password } };
  const script = /^export .+(?=\ncurl)/ms.exec(banner(outputs, '.local'))?.[0];
  expect(await outputOf(`${script}\nprintf %s "$CREDENTIALS"`)).toBe(credentials);
});

/** Each returns arguments of the command. */
const written = (file: string, text: string) => (data: string) => {
  writeFileSync(join(data, file), text);
  return [];
};
const madeFolder = (name: string) => (data: string) => {
  mkdirSync(join(data, name));
  return [];
};
const inFile = (data: string) => {
  writeFileSync(join(data, 'file'), '');
  return ['--data', join(data, 'file/below')];
};

test.each<[string, (data: string) => string[], RegExp]>([
  ['an unknown option', () => ['--unknown'], /^error: unknown option '--unknown'/],
  ['an empty port', () => ['--port', ''], /--port <n>' argument '' is invalid/],
  ['an empty data folder', () => ['--data', ''], /--data <dir>' argument '' is invalid/],
  ['a port past the last one', () => ['--port', '65536'], /Give a number from 0 .* to 65535\./],
  ['a missing assembly', () => ['--assembly', 'none'], /cannot be read\. Create it with: npx cdk synth/],
  ['a damaged database', written(engineProgram().dataFile, 'no'.repeat(4_000)), /folder may be damaged/],
  ['damaged passwords', written('passwords.json', '{"warehouse": "x"}'), /passwords\.json is damaged/],
  ['a data folder in a file', inFile, /cannot be written \(\w+\)\. Give another folder/],
  ['a data folder below /proc', () => ['--data', '/proc/x/y'], /^\/proc\/x.* cannot be written \(\w+\)\./],
  ['a folder instead of a lock', madeFolder('lock'), /\/lock cannot be written \(/],
  ['a folder instead of a log', madeFolder('functions.log'), /\/functions\.log cannot be written \(/],
  ['a folder instead of outputs', madeFolder('outputs.json'), /\/outputs\.json cannot be written \(/],
])('a start with %s fails with one line', async (_, argsIn, what) => {
  const data = temporaryFolder();
  await expectOneLine([...(await inFolder(data)), ...argsIn(data)], what);
});

describe('without the packages of development, a start says in one line what to install', () => {
  const expectLine = async (command: string, args: string[], options: object, words: RegExp) => {
    const { code, stdout, stderr } = await promisify(execFile)(command, args, options).catch(
      (error) => error,
    );
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(words)]);
  };

  test('if Node is too old for TypeScript', async () => {
    const env = { ...process.env, NODE_OPTIONS: '--no-experimental-strip-types' };
    const words = /^The local run needs Node 22\.18 or newer, .+ without --omit=dev\.\n$/;
    await expectLine('npm', ['start', '--silent'], { cwd: projectFolder, env }, words);
  });

  test('if the CDK is missing', async () => {
    const cwd = temporaryFolder();
    for (const name of ['local', 'shared', 'package.json'])
      cpSync(join(projectFolder, name), join(cwd, name), { recursive: true });
    mkdirSync(join(cwd, 'node_modules'));
    for (const name of readdirSync(join(projectFolder, 'node_modules')))
      if (name !== 'aws-cdk')
        symlinkSync(join(projectFolder, 'node_modules', name), join(cwd, 'node_modules', name));
    const args = ['local/cli/start.js', '--port=0', '--memory', '--quiet'];
    const words = /^The CDK is not installed\. Run `npm ci` without --omit=dev, .+ --assembly\.\n$/;
    await expectLine(process.execPath, args, { cwd }, words);
  });
});

test('a start with NODE_USE_ENV_PROXY and a proxy for 127.0.0.1 says what to change', async () => {
  vi.stubEnv('NODE_USE_ENV_PROXY', '1').stubEnv('HTTP_PROXY', 'http://proxy.test:3128');
  vi.stubEnv('NO_PROXY', undefined);
  await expectOneLine(
    await inFolder(temporaryFolder()),
    /^NODE_USE_ENV_PROXY .+ add 127\.0\.0\.1 to NO_PROXY\./,
  );
  vi.stubEnv('NO_PROXY', 'localhost,127.0.0.1');
  await expectOneLine([...(await inFolder(temporaryFolder())), '--assembly=none'], /^none\/manifest\.json/);
});

test('a start on a port in use fails with one line', async () => {
  const server = createServer();
  const port = new URL(await listen(server, 0)).port;
  const args = [...(await inFolder(temporaryFolder())), `--port=${port}`];
  await expectOneLine(args, new RegExp(`^Port ${port} is in use. Choose another with --port\\.`));
  server.close();
});
