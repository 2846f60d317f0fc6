import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { banner } from '../../local/cli/messages.ts';
import { engineProgram } from '../../local/services/engine-programs.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { assembly, renamedAssembly, temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { expectOneLine, inFolder, outputOf, runLocal, startWithEngine } from './in-process-command.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a start', () => {
  test('reuses the synthesis of an earlier start with the same settings', async () => {
    const data = temporaryFolder();
    vi.stubEnv('CDK_APP', `cp -rL ${renamedAssembly(await assembly(), 'Reused')}/. "$CDK_OUTDIR"`);
    const first = await startWithEngine(data, []);
    expect(first.output.stdout).not.toContain('reused');
    await first.stop();
    const again = await startWithEngine(data, []);
    expect(again.output.stdout).toContain('reused');
    await again.stop();
  });

  test('without a client that can sign in says how to add one', async () => {
    expect(banner({ BaseUrl: 'http://127.0.0.1:3000/live', Clients: {} }, 'data')).toMatch(
      /^\nReady\. .*warehouse-admin --local --data data clients add NAME\n/,
    );
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

test('the printed credentials are safe for a shell', async () => {
  const all = [
    'DOMAIN\\user:secret',
    'it\'s:$HOME `id` "x" !!',
    'Склад:two\nlines and an end ',
    "user:it\\'s '\\''",
  ];
  const scripts = all.map((credentials) => {
    const [userName = '', password = ''] = credentials.split(/:(.*)/s);
    const outputs = { BaseUrl: 'http://127.0.0.1:3000/live', Clients: { [userName]: password } };
    return `${/^export .+(?=\ncurl)/ms.exec(banner(outputs, '.local'))?.[0]}\nprintf '%s\\0' "$CREDENTIALS"`;
  });
  expect((await outputOf(scripts.join('\n'))).split('\0')).toEqual([...all, '']);
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
    // What npm runs, without npm.
    const [command = '', ...args] = packageJson.scripts.start.split(' ');
    await expectLine(command, args, { cwd: projectFolder, env }, words);
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
    const env = { ...process.env, DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') };
    await expectLine(process.execPath, args, { cwd, env }, words);
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
