import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { describe, expect, inject, it } from 'vitest';
import { untilSynthesized } from '../support/assembly.ts';
import { projectFolder, run } from '../support/run-app.ts';
import { deployed } from './deployment.ts';
import { functionNames, functionsOf } from './gateway.ts';

const folder = inject('assemblyFolder');
const result = await untilSynthesized(folder);
const template = JSON.parse(readFileSync(join(folder, 'WarehouseControl.template.json'), 'utf8'));
const functions = functionsOf(deployed(template));

type FunctionName = (typeof functionNames)[number];
const assetOf = (name: FunctionName) =>
  join(folder, `asset.${functions[name].properties.Code.S3Key.replace(/\.zip$/, '')}`);
const codeOf = (name: FunctionName) => readFileSync(join(assetOf(name), 'index.js'), 'utf8');

/** What a function exports when it starts with this environment. */
const start = (name: FunctionName, environment: Record<string, string>) =>
  run(
    process.execPath,
    ['-e', 'process.stdout.write(typeof require(process.argv[1]).handler)', assetOf(name)],
    { ...environment, AWS_REGION: 'eu-central-1' },
  );

/** Small ones, of which the SDK makes use. */
const BESIDE = ['http', 'internal/crypto/webcrypto', 'os', 'process'];

/** The modules of Node that are loaded when this is. */
const loadedBy = async (what: string, environment: Record<string, string>): Promise<string[]> => {
  const { stdout, stderr } = await run(process.execPath, ['-e', LIST_LOADED, what], {
    ...environment,
    AWS_REGION: 'eu-central-1',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout).toSorted();
};

const LIST_LOADED = `
  const before = new Set(process.moduleLoadList);
  require(process.argv[1]);
  const loaded = process.moduleLoadList.filter((each) => !before.has(each));
  const names = loaded.map((each) => each.split(' ')).filter(([kind]) => kind === 'NativeModule').map(([, name]) => name);
  process.stdout.write(JSON.stringify(names));
`;

it('The app bundles the functions without a warning', () => {
  expect(result).toMatchObject({ exitCode: 0, stdout: '' });
  expect(result.stderr.trimEnd().split('\n')).toEqual(
    functionNames.map(() => expect.stringMatching(/^Bundling asset /)),
  );
});

it('No two functions have the same code', () => {
  expect(new Set(functionNames.map(codeOf)).size).toBe(functionNames.length);
});

describe.each(functionNames)('the bundle of %s', (name) => {
  it('is CommonJS', () => {
    const load = () => compileFunction(codeOf(name), ['exports', 'require', 'module']);
    expect(load).not.toThrow();
  });

  it('starts with the environment that the template gives it, and exports a handler', async () => {
    const { Variables } = functions[name].properties.Environment;
    expect(await start(name, Variables)).toEqual({ exitCode: 0, stdout: 'function', stderr: '' });
  });

  it('does not start with what the template gives to the others', async () => {
    const others = functionNames.filter((other) => other !== name);
    const environment = others.map((other) => functions[other].properties.Environment.Variables);
    const { exitCode, stderr } = await start(name, Object.assign({}, ...environment));
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/The environment variable \w+ is not set\./);
  });

  it('has at most 230 KB', () => {
    expect(Buffer.byteLength(codeOf(name))).toBeLessThanOrEqual(230_000);
  });

  it('loads what a connection over TLS loads of Node, and hardly anything beside', async () => {
    const { Variables } = functions[name].properties.Environment;
    const loaded = await loadedBy(assetOf(name), Variables);
    const needed = await loadedBy('node:https', {});
    expect(loaded.filter((each) => ![...needed, ...BESIDE].includes(each))).toEqual([]);
  });

  it('does without the languages of the world', () => {
    expect(codeOf(name)).not.toContain('toLocaleString');
  });

  it('is one file, which knows of no source map and of no folder of this machine', async () => {
    expect(await readdir(assetOf(name))).toEqual(['index.js', 'package.json']);
    expect(codeOf(name)).not.toContain('sourceMappingURL');
    expect(codeOf(name)).not.toContain(projectFolder);
  });

  it('has its source map outside, made from its own source', () => {
    const { sources, mappings } = JSON.parse(
      readFileSync(join(folder, 'source-maps', `${name}.js.map`), 'utf8'),
    );
    expect(sources).toContainEqual(expect.stringMatching(new RegExp(`/functions/${name}\\.ts$`)));
    expect(mappings.length).toBeGreaterThan(10_000);
  });
});

/** What only the code of one kind of credential provider says. */
const marks = {
  container: '169.254.170.2',
  instance: '/latest/meta-data/iam/security-credentials',
  'single sign-on': 'sso_start_url',
  process: 'credential_process',
  'web identity': 'AWS_WEB_IDENTITY_TOKEN_FILE',
  login: 'login_session',
};

describe.each(Object.entries(marks))('the %s provider of credentials', (_, mark) => {
  it('is in the chain of the SDK', () => {
    expect(providerChain).toContain(mark);
  });

  it('is in no bundle', () => {
    for (const name of functionNames) expect(codeOf(name).includes(mark), name).toBe(false);
  });
});

const providerChain = buildSync({
  stdin: { contents: "export * from '@aws-sdk/credential-provider-node'", resolveDir: projectFolder },
  bundle: true,
  write: false,
  platform: 'node',
}).outputFiles[0]?.text;

it('The provider that reads the environment is in every bundle', () => {
  for (const name of functionNames) expect(codeOf(name), name).toContain('AWS_SECRET_ACCESS_KEY');
});
