import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../local/http.ts';
import { synthesisResult } from '../support/assembly.ts';
import { batchOf } from '../support/batches.ts';
import { projectFolder, run } from '../support/run-app.ts';
import { deployed } from './deployment.ts';
import { functionNames, functionsOf } from './gateway.ts';

const folder = inject('assemblyFolder');
const result = await synthesisResult();
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

/** The modules of Node that are loaded when this is, and has served the event, if there is one. */
const loadedBy = async (
  what: string,
  environment: Record<string, string>,
  event?: object,
): Promise<string[]> => {
  const args = ['-e', LIST_LOADED, what, ...(event ? [JSON.stringify(event)] : [])];
  const { stdout, stderr } = await run(process.execPath, args, {
    ...environment,
    AWS_REGION: 'eu-central-1',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

const LIST_LOADED = `
  const names = () => process.moduleLoadList.filter((each) => each.startsWith('NativeModule ')).map((each) => each.slice(13));
  const { writeSync } = require('node:fs');
  const [what, event] = process.argv.slice(1);
  const before = new Set(names());
  const { handler } = require(what);
  const tell = () => writeSync(1, JSON.stringify(names().filter((each) => !before.has(each))));
  if (event) {
    process.stdout.write = () => true;
    handler(JSON.parse(event), { getRemainingTimeInMillis: () => 5000 }).then(tell, tell).finally(() => process.exit());
  } else tell();
`;

const ON_LAMBDA = {
  AWS_LAMBDA_FUNCTION_NAME: 'tested',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  _X_AMZN_TRACE_ID: 'Root=1-6730a1b2-0123456789abcdef01234567',
};

const bodies: Partial<Record<FunctionName, object>> = {
  'post-change': { Timestamp: '2026-11-21T06:48:04,123Z' },
  'post-material-stock-balance': batchOf(1),
};
const eventFor = (name: FunctionName) => ({
  httpMethod: 'POST',
  resource: '/',
  methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live/POST/',
  headers: { 'Content-Type': 'application/json' },
  multiValueHeaders: { Authorization: [`Basic ${Buffer.from('a:b').toString('base64')}`] },
  requestContext: { requestId: 'request', authorizer: { client: 'wms' } },
  body: JSON.stringify(bodies[name] ?? null),
});

/** In the place of the services: whatever is asked, nothing is there. */
const startStandIn = async () => {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    asked += 1;
    incoming.resume().on('end', () => outgoing.end('{}'));
  });
  const endpoint = await listen(server, 0);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint };
  return { environment, asked: () => asked };
};

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

  it('loads nothing of Node for its first request that one can do without', async () => {
    const { Variables } = functions[name].properties.Environment;
    const standIn = await startStandIn();
    const environment = { ...Variables, ...ON_LAMBDA, ...standIn.environment };
    const loaded = await loadedBy(assetOf(name), environment, eventFor(name));
    const unexpected = loaded.filter((each) => /undici|modules.esm|perf_hooks|zlib|fs.promises/.test(each));
    expect(unexpected).toEqual([]);
    expect(standIn.asked()).toBeGreaterThan(0);
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
