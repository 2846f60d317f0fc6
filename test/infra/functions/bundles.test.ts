import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../local/http.ts';
import { assembly } from '../../support/assembly.ts';
import { batchOf } from '../../support/batches.ts';
import { projectFolder, run } from '../../support/run-app.ts';
import { deployed, type FunctionName, functionNames, functionsOf } from '../deployment.ts';

const folder = await assembly();
const template = JSON.parse(readFileSync(join(folder, 'WarehouseControl.template.json'), 'utf8'));
const functions = functionsOf(deployed(template));

const assetOf = (name: FunctionName) =>
  join(folder, `asset.${functions[name].properties.Code.S3Key.replace(/\.zip$/, '')}`);
const variablesOf = (name: FunctionName) => functions[name].properties.Environment.Variables;
const codeOf = (name: FunctionName) => readFileSync(join(assetOf(name), 'index.js'), 'utf8');

/** Small modules that the SDK uses. */
const USED_BY_SDK = ['http', 'internal/crypto/webcrypto', 'os', 'process'];

/** The Node modules that a module loads at its start, and those that it has loaded after an event. */
type Loaded = { atStart: string[]; afterEvent: string[] };
const loadedBy = async (required: string, environment = {}, event?: object): Promise<Loaded> => {
  const args = ['-e', LIST_LOADED, required, ...(event ? [JSON.stringify(event)] : [])];
  const { stdout, stderr } = await run(process.execPath, args, environment);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

const LIST_LOADED = `
  const { writeSync } = require('node:fs');
  const loaded = () => process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13));
  const [required, event] = process.argv.slice(1);
  const before = loaded();
  const added = () => loaded().filter((name) => !before.includes(name));
  const { handler } = require(required);
  const atStart = added();
  const list = () => writeSync(1, JSON.stringify({ atStart, afterEvent: added() }));
  if (event) {
    process.stdout.write = () => true;
    handler(JSON.parse(event), { getRemainingTimeInMillis: () => 5000 }).then(list, list).finally(() => process.exit());
  } else list();
`;

const loadedByTls = loadedBy('node:https');

const ON_LAMBDA = {
  AWS_REGION: 'eu-central-1',
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
  requestContext: { extendedRequestId: 'request', identity: {}, authorizer: { client: 'wms' } },
  body: JSON.stringify(bodies[name] ?? null),
  // In this hour of a Monday, the watch always sends a message.
  time: '2026-11-23T06:05:00Z',
});

/** Responds to every call with an empty object, and counts the calls. */
const startEmptyServices = async () => {
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    calls += 1;
    incoming.resume().on('end', () => outgoing.end('{}'));
  });
  const endpoint = await listen(server, 0);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { environment: { AWS_ENDPOINT_URL: endpoint }, calls: () => calls };
};

/** In bytes. */
const sizes: Record<FunctionName, number> = {
  authorizer: 193_037,
  watch: 230_479,
  'post-change': 200_786,
  'get-material-codes': 187_488,
  'get-purchase-orders': 187_489,
  'post-material-stock-balance': 206_764,
};

describe.each(functionNames)('the bundle of %s', (name) => {
  it('is one CommonJS file without a second SDK, without locales, a source map and paths of this machine', async () => {
    const code = codeOf(name);
    expect(() => compileFunction(code, ['exports', 'require', 'module'])).not.toThrow();
    expect(await readdir(assetOf(name))).toEqual(['index.js', 'package.json']);
    expect(code).not.toContain('toLocaleString');
    expect(code).not.toContain('sourceMappingURL');
    expect(code).not.toContain(projectFolder);
  });

  it('has its size to within 1 KB, because more code starts more slowly. Change the size here if the code is needed', () => {
    expect(Math.abs(Buffer.byteLength(codeOf(name)) - sizes[name])).toBeLessThanOrEqual(1_024);
  });

  it('loads for its start and its first request no slow Node module, and at its start only what TLS needs', async () => {
    const services = await startEmptyServices();
    const environment = { ...ON_LAMBDA, ...variablesOf(name), ...services.environment };
    const { atStart, afterEvent } = await loadedBy(assetOf(name), environment, eventFor(name));
    expect(services.calls()).toBeGreaterThan(name === 'watch' ? 1 : 0);
    const needed = [...(await loadedByTls).atStart, ...USED_BY_SDK];
    expect(atStart.filter((module) => !needed.includes(module))).toEqual([]);
    const slow = afterEvent.filter((module) => /undici|modules.esm|perf_hooks|zlib|fs.promises/.test(module));
    expect(slow).toEqual([]);
  });

  it('has its source map in another folder, made from its own source', () => {
    const { sources, mappings } = JSON.parse(
      readFileSync(join(folder, 'source-maps', `${name}.js.map`), 'utf8'),
    );
    expect(sources).toContainEqual(expect.stringMatching(new RegExp(`/functions/${name}\\.ts$`)));
    expect(mappings.length).toBeGreaterThan(10_000);
  });
});
