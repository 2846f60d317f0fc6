import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Result } from '../../doctor/fact.ts';
import { runDoctor } from '../../doctor/main.ts';
import { startResults } from '../../doctor/results.ts';
import { addressFacts, deploymentFacts, updateFacts } from '../../doctor/trial/deployment-facts.ts';
import { exposureFacts } from '../../doctor/trial/exposure-facts.ts';
import { gatewayFacts, writeFacts } from '../../doctor/trial/request-facts.ts';
import { Trial } from '../../doctor/trial/trial.ts';
import { runProgram } from '../admin/command.ts';
import { captureOutput, refusal } from '../admin/in-process.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { describeStacks, startAws } from './aws-stub.ts';
import { startBlindServer } from './examine.ts';

afterEach(() => void vi.unstubAllEnvs());

const NOWHERE = ['--base-url', 'http://127.0.0.1:9/live', '--client', 'doctor'];

describe('wrong usage ends with 2 and names the problem:', () => {
  const wrongBases = ['ftp://x', 'x', 'http://a:b@x', 'http://x/?a', 'http://x/rest/y'];
  const noUrl = /Give a URL such as the output BaseUrl/;
  const noPassword = /^There is no password\. Set WAREHOUSE_PASSWORD, or give it on standard input\.\n$/;

  test.each<[string[], RegExp, input?: string]>([
    [[], /Give --base-url and --client, or --trial, or --account\./],
    [['--base-url', 'http://127.0.0.1:9'], /Give --base-url and --client/],
    ...wrongBases.map((url): [string[], RegExp] => [['--base-url', url, '--client', 'doctor'], noUrl]),
    [[...NOWHERE, '--trial', 'X'], /'--trial <name>' cannot be used with/],
    [['--trial', 'X', '--client', 'doctor'], /'--trial <name>' cannot be used with/],
    [['--trial', 'X', '--user-name', 'doctor'], /'--trial <name>' cannot be used with/],
    [['--account', '--trial', 'X'], /'--account \[stage\]' cannot be used with/],
    [['--trial', 'a b'], /Give a name of 1 to 60 letters/],
    [NOWHERE, noPassword, ''],
    [NOWHERE, noPassword, '\nsecret\n'],
  ])('%j: %s, with %j on standard input', async (args, problem, input = '') => {
    const { code, stdout, stderr } = await captureOutput(() => runDoctor(args), { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(problem);
  });
});

test('--help ends with 0 and gives examples', async () => {
  const { code, stdout, stderr } = await captureOutput(() => runDoctor(['--help']));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Examples:\n  npm run doctor -- --base-url https://');
});

test('at a terminal, the doctor asks for the password and does not show it', async () => {
  const typed = [['Password of the-user', 'top-secret-7\r']] as const;
  const line = [...NOWHERE, '--user-name', 'the-user'];
  const { code, stdout, stderr } = await captureOutput(() => runDoctor(line), { typed });
  expect(stdout + stderr).not.toContain('top-secret');
  expect(stdout).toMatch(/^WRONG +reach +nothing responds .+; check the host and port.+\(ECONNREFUSED\)/);
  expect(code).toBe(1);
});

test('as a process, it reads the password from the first line, ends with the exit code, and keeps no code in a shared folder', async () => {
  const folder = temporaryFolder();
  const environment = ['env', '--unset=NODE_COMPILE_CACHE', `TMPDIR=${folder}`];
  const line = [...environment, process.execPath, join(projectFolder, 'doctor/start.js'), ...NOWHERE];
  const input = 'top-secret-7\r\nmore\n';
  const { code, stdout, stderr } = await runProgram(line, { input });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^WRONG +reach (?:.*\n)+0 ok, 1 wrong, \d+ not checked\.\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

describe('as a process without what it needs, it says so in one line', () => {
  const start = join(projectFolder, 'doctor/start.js');

  test('if Node is too old for TypeScript', async () => {
    const line = [process.execPath, '--no-experimental-strip-types', start, ...NOWHERE];
    const words = /^The doctor needs Node 22\.18 or newer, or the packages that `npm ci` .+ --omit=dev\.\n$/;
    expect(await runProgram(line)).toEqual(refusal(words));
  });

  test.each([
    [
      'if a package is missing',
      "import '@aws-sdk/client-lambda';",
      /^Cannot find package '@aws-sdk\/client-lambda'\. .+ what `npm ci` installs without --omit=dev\.\n$/,
    ],
    ['but not of another error', 'throw new Error("Not a package");', /^Error: Not a package\n +at /m],
  ])('%s', async (_, main, words) => {
    const folder = temporaryFolder();
    cpSync(start, join(folder, 'start.mjs'));
    writeFileSync(join(folder, 'main.ts'), main);
    const { code, stderr } = await runProgram([process.execPath, join(folder, 'start.mjs'), ...NOWHERE]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s, even twice, ends the examination with %i', async (name, exitCode) => {
  vi.stubEnv('WAREHOUSE_PASSWORD', 'secret');
  const before = process.rawListeners(name);
  const interrupt = () => {
    const listeners = process.rawListeners(name).filter((listener) => !before.includes(listener));
    for (const listener of listeners) listener(name);
  };
  // npm passes the signal on, so it arrives twice.
  const onRequest = () => [interrupt(), interrupt()];
  const baseUrl = await startBlindServer(undefined, { staysOpen: true, onRequest });
  const line = ['--base-url', baseUrl, '--client', 'doctor'];
  const { code, stdout } = await captureOutput(() => runDoctor(line));
  expect([code, stdout]).toEqual([exitCode, 'Stopped early. 0 ok, 0 wrong, 0 not checked.\n']);
  expect(process.rawListeners(name)).toEqual(before);
});

describe('--trial deploys nothing', () => {
  const ANNOUNCED = /Mine in the account 123456789012, eu-west-1\? .+ 170 slots.+ dollars.+--yes/s;

  test.each<[string, string[], number, RegExp]>([
    ['if the CDK is not set up', [], 1, /Run `npx cdk bootstrap` first/],
    ['over a stack that exists', ['CDKToolkit', 'Mine'], 1, /a stack Mine already\. .+ Nothing was changed/],
    ['without a confirmation', ['CDKToolkit'], 2, ANNOUNCED],
  ])('%s', async (_, stacks, exitCode, problem) => {
    const stacksByName = Object.fromEntries(stacks.map((name) => [name, {}]));
    const calls = await startAws({ DescribeStacks: describeStacks(stacksByName) });
    const { code, stderr } = await captureOutput(() => runDoctor(['--trial', 'Mine', '--slots']), {
      input: '',
    });
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(problem);
    expect(calls.every((call) => call.endsWith(' DescribeStacks'))).toBe(true);
  });
});

test('each fact about AWS names a file of the project to correct', () => {
  const trial = new Trial('Any', { seconds: 0, interrupted: AbortSignal.abort() });
  const ofTrial = [deploymentFacts, exposureFacts, updateFacts, addressFacts].map((facts) => facts(trial));
  const facts = [writeFacts, gatewayFacts, ...ofTrial].flatMap((group) => Object.values(group));
  const files = facts.map((fact) => ('assumedIn' in fact && /^[\w./-]+/.exec(fact.assumedIn)?.[0]) || '');
  expect(files.filter((file) => globSync(file, { cwd: projectFolder }).length === 0)).toEqual([]);
});

test('the results are a table with a row for each fact', () => {
  const folder = mkdtempSync(`${tmpdir()}/doctor-`);
  const results: Result[] = [
    { name: 'change', text: '400', state: 'ok', seen: '400' },
    { name: 'tls', text: '1.2', state: 'WRONG', seen: 'a|b; look' },
  ];
  const written = readFileSync(startResults(folder, 'Mine', 'eu-west-1')(results), 'utf8');
  expect(written).toContain('1 ok, 1 wrong, 0 not checked.');
  expect(written).toContain('| ok | change | 400 | 400 |\n| WRONG | tls | 1.2 | a\\|b; look |');
});
