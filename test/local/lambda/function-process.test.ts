import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { editedAssembly } from '../../support/assembly.ts';
import { basic, send } from '../../support/http-client.ts';
import {
  faultyCalls,
  injectFaults,
  type LocalRun,
  postControl,
  startLocal,
} from '../../support/local-run.ts';
import { expectProblem } from '../../support/problem.ts';
import { isRunning } from '../../support/processes.ts';
import { projectFolder } from '../../support/run-app.ts';
import { scriptFunctions } from './scripted-functions.ts';

const ALLOWED = basic('allowed', 'any');

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    scriptFunctions(assembly);
    assembly.resource('AWS::Lambda::Function', 'GetPurchaseOrders').Properties['Timeout'] = 1;
    for (const name of ['GetMaterialCodes', 'Watch'])
      assembly.resource('AWS::Lambda::Function', name).Properties['MemorySize'] = 300;
    assembly.replaceCode('Watch', 'Buffer.alloc(300 * 1024 * 1024, 1); exports.handler = () => ({});');
  });
  vi.stubEnv('FOO', 'of the parent').stubEnv('NODE_OPTIONS', '--no-warnings');
  run = await startLocal({ assemblyFolder });
});

afterAll(() => vi.unstubAllEnvs());

const request = (script: object, path = 'changes', method = 'POST') =>
  send(run.url(path), { method, headers: { Authorization: ALLOWED }, body: JSON.stringify(script) });

test("a function gets the time that remains, and the template's and the platform's variables, but not the shell's", async () => {
  const { context, env } = (await request({}, 'purchase-orders', 'GET')).json();
  expect(context.awsRequestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(context.remaining).toBeGreaterThan(0);
  expect(context.remaining).toBeLessThanOrEqual(1_000);
  expect(env).toEqual({
    PURCHASE_ORDERS_TABLE: run.outputs().Tables['PurchaseOrders'],
    METRICS_NAMESPACE: 'WarehouseControl',
    AWS_REGION: 'eu-central-1',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: expect.stringMatching(/GetPurchaseOrders/),
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    LAMBDA_TASK_ROOT: expect.stringMatching(/^\/.+asset\.GetPurchaseOrders$/),
    TZ: ':UTC',
    _HANDLER: 'index.handler',
    AWS_ACCESS_KEY_ID: env.AWS_LAMBDA_FUNCTION_NAME,
    AWS_SECRET_ACCESS_KEY: 'local',
    // Only the endpoints differ from a deployment.
    AWS_ENDPOINT_URL_DYNAMODB: expect.any(String),
    AWS_ENDPOINT_URL_SNS: expect.any(String),
  });
});

const canConnect = async (host: string, port: number) => {
  const socket = connect(port, host);
  const isConnected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return isConnected.finally(() => socket.destroy());
};

test('a run and all its processes listen on 127.0.0.1 alone', async () => {
  const { env } = (await request({})).json();
  const { BaseUrl, DynamoDbEndpoint, ControlEndpoint } = run.outputs();
  const proxies = [env.AWS_ENDPOINT_URL_DYNAMODB, env.AWS_ENDPOINT_URL_SNS];
  for (const url of [BaseUrl, DynamoDbEndpoint, ControlEndpoint, ...proxies]) {
    const port = Number(new URL(url).port);
    expect(await canConnect('127.0.0.1', port)).toBe(true);
    expect(await canConnect('127.0.0.2', port)).toBe(false);
  }
});

/** Messages from TemplateStack: test_lambda_invoke_with_timeout, test_lambda_runtime_exit and …_wrapper_not_found. */
const errorLine = (type: string, words: string) =>
  new RegExp(`"errorType":"${type}","errorMessage":"RequestId: [-0-9a-f]{36} ${words}"`);

test('a function that the control server kills is a 502 the given number of times, never has the event, and its log says so', async () => {
  await injectFaults(run, { lambda: [{ kill: 'PostChange', times: 2 }] });
  const before = run.functionsLog().length;
  for (const _ of [1, 2]) expectProblem(await request({ say: 'reached' }), 502);
  expect((await request({})).json()).toMatchObject({ count: 1 });
  expect(await faultyCalls(run)).toEqual([2]);
  const log = run.functionsLog().slice(before);
  expect(log).toMatch(errorLine('Runtime.ExitError', 'Error: Runtime exited with error: signal: killed'));
  expect(new Set(log.match(/RequestId: [-0-9a-f]+/g)).size).toBe(2);
  expect(log).not.toContain('reached');
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const UNKNOWN = 'There is no such request. A POST needs the header Content-Type: application/json.';
const COUNT = 'A count must be a whole number of 0 or more.';
const FAULT = 'A fault must be an object with kind. It may also have action, delayMs, after and times.';
const LAMBDA_FAULT =
  'A fault of lambda must be an object with either throttle or kill. It may also have after and times.';

test.each<[string, string, number, string, headers?: Record<string, string>]>([
  ['/', '{}', 404, UNKNOWN],
  ['/faults', '{}', 404, UNKNOWN, { 'Content-Type': 'text/plain' }],
  // A page whose host name points at this machine.
  ['/faults', '{}', 404, UNKNOWN, { ...JSON_TYPE, Host: 'evil.example' }],
  ['/faults', '{}'.padEnd(65_537), 413, 'Send at most 64 KB.'],
  [
    '/faults',
    '{',
    400,
    'The body is not valid JSON: it ends where a name in double quotes or } is expected.',
  ],
  ['/faults', '[]', 400, 'The body must be an object with clients, dynamodb and lambda.'],
  ['/faults', '{"foo":1}', 400, 'foo: This field is unknown. Use only clients, dynamodb and lambda.'],
  ['/faults', '{"clients":{}}', 400, 'clients: The faults must be an array.'],
  [
    '/faults',
    '{"dynamodb":[{"kind":"slow","times":-1}]}',
    400,
    `dynamodb/0/times: ${COUNT} dynamodb/0/kind: The kind must be throttle, error, delay, disconnect or loseResponse.`,
  ],
  ['/faults', '{"clients":[{"kind":"delay","delayMs":"9"}]}', 400, `clients/0/delayMs: ${COUNT}`],
  ['/faults', '{"clients":[{"kind":"delay","delayMs":0.5}]}', 400, `clients/0/delayMs: ${COUNT}`],
  ['/faults', '{"dynamodb":[1]}', 400, `dynamodb/0: ${FAULT}`],
  [
    '/faults',
    '{"dynamodb":[{"kind":"error","action":"PutItem"}]}',
    400,
    'dynamodb/0/action: The action must be a string such as "dynamodb:PutItem".',
  ],
  ['/faults', '{"lambda":[{"times":1}]}', 400, `lambda/0: ${LAMBDA_FAULT}`],
  ['/faults', '{"lambda":[{"throttle":"Post","kill":"Post"}]}', 400, `lambda/0: ${LAMBDA_FAULT}`],
  ['/passwords', '{"password":"x"}', 400, 'client: The field client is missing.'],
  ['/passwords', '{"client":"x","password":1}', 400, 'password: A password must be a string.'],
  ['/watch', '{"time":"now"}', 400, 'time: The time must be like 2026-11-23T06:05:00Z.'],
])('the control server refuses a POST %s of %s with a %i and a sentence', async (...asked) => {
  const [path, body, status, message, headers = JSON_TYPE] = asked;
  const response = await send(`${run.outputs().ControlEndpoint}${path}`, { method: 'POST', headers, body });
  expect([response.status, response.json()]).toEqual([status, { message }]);
});

test('the control server accepts every fault of docs/local.md', async () => {
  const page = readFileSync(join(projectFolder, 'docs/local.md'), 'utf8');
  const bodies = [...page.matchAll(/(?:faults|\/faults"[\s\\]+-d) '(\{.*?\})'/g)].map(
    ([, body = '']) => body,
  );
  expect(bodies.length).toBeGreaterThanOrEqual(6);
  for (const body of bodies) await injectFaults(run, JSON.parse(body));
  await injectFaults(run, {});
});

test.each([
  ['of 64 KB', '{"clients": [{"kind": "error", "after": 9}]}'.padStart(65_536), [0]],
  ['with a fault that hits no call', '{"clients": [{"kind": "error", "after": 0, "times": 0}]}', [0]],
  ['that is empty, which ends the faults', '', []],
])('the control server accepts a body %s', async (_, body, hits) => {
  const url = `${run.outputs().ControlEndpoint}/faults`;
  expect((await send(url, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(200);
  expect(await faultyCalls(run)).toEqual(hits);
});

test('the control server refuses a fault of a function that does not exist, names the others, and keeps the faults', async () => {
  await injectFaults(run, { clients: [{ kind: 'error', after: 9 }] });
  for (const unknown of [{ throttle: 'GetPurchases' }, { kill: 'GetPurchases' }]) {
    const refused = await postControl(run, '/faults', { lambda: [{ throttle: 'GetPurchase' }, unknown] });
    const message = expect.stringMatching(
      /^There is no function GetPurchases\. There are \S+, .*GetPurchaseOrders/,
    );
    expect([refused.status, refused.json()]).toEqual([400, { message }]);
  }
  expect(await faultyCalls(run)).toEqual([0]);
  await injectFaults(run, {});
});

/** Developer guide, "Lambda execution environment lifecycle" and "Lambda function scaling". */
describe('a process of a function', () => {
  test('handles one event at a time; a second event goes to another process', async () => {
    const { pid } = (await request({}, 'material-stock-balance')).json();
    // Ends with the run.
    request({ say: 'has begun', sleepMs: 60_000 }, 'material-stock-balance').catch(() => {});
    await expect.poll(run.functionsLog).toContain('has begun');
    const others = await Promise.all([1, 2].map(() => request({}, 'material-stock-balance')));
    for (const other of others) {
      expect(other.json().busy).toBe(1);
      expect(other.json().pid).not.toBe(pid);
    }
  });

  test('is ended at the timeout of the template with a 502; the next request gets a new one (a timed-out function is a function error)', async () => {
    const before = (await request({}, 'purchase-orders', 'GET')).json();
    const late = await request({ sleepMs: 60_000 }, 'purchase-orders', 'GET');
    expect(late.status).toBe(502);
    await expect.poll(() => isRunning(before.pid)).toBe(false);
    expect(run.functionsLog()).toMatch(
      errorLine('Sandbox.Timedout', 'Error: Task timed out after 1.00 seconds'),
    );
    expect((await request({}, 'purchase-orders', 'GET')).json()).toMatchObject({ count: 1 });
  });

  test.each([
    [0, 'without providing a reason'],
    [3, 'with error: exit status 3'],
  ])(
    'that ends with exit code %i is a 502, and its log says so; the next request has a new one',
    async (exit, reason) => {
      const before = run.functionsLog().length;
      expectProblem(await request({ say: 'before the end', exit }), 502);
      const log = run.functionsLog().slice(before);
      expect(log).toMatch(/PostChange\S* before the end\n\S*PostChange/);
      expect(log).toMatch(errorLine('Runtime.ExitError', `Error: Runtime exited ${reason}`));
      expect((await request({})).json()).toMatchObject({ count: 1 });
    },
  );

  test('that gets a SIGINT and a SIGHUP, which a terminal sends to all processes, continues until the run ends it', async () => {
    const { pid, count } = (await request({})).json();
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
    expect((await request({})).json()).toMatchObject({ pid, count: count + 1 });
  });

  test('that is killed while idle is replaced without a failed request', async () => {
    const { pid } = (await request({})).json();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    const response = await request({});
    expect(response.status).toBe(200);
    expect(response.json().pid).not.toBe(pid);
  });

  /** The developer guide of Lambda has no word for this. Its users report these messages. */
  test.each<[string, string, object]>([
    ['buffers that it has released', 'killed', { bufferMb: 300 }],
    ['buffers and goes on', 'killed', { bufferMb: 300, sleepMs: 60_000 }],
    ["half of it for Node's heap, as Node allows by itself", 'aborted', { heapMb: 200 }],
  ])('that uses more memory than the template gives it, for %s, is a 502 and %s', async (_, end, script) => {
    expect((await request({ bufferMb: 100 }, 'material-codes', 'GET')).status).toBe(200);
    const before = run.functionsLog().length;
    expectProblem(await request(script, 'material-codes', 'GET'), 502);
    const words = `Error: Runtime exited with error: signal: ${end}`;
    expect(run.functionsLog().slice(before)).toMatch(errorLine('Runtime.ExitError', words));
    expect((await request({}, 'material-codes', 'GET')).json()).toMatchObject({ count: 1 });
  });

  test('that uses more memory at its start than the template gives it serves no event', async () => {
    const response = await postControl(run, '/watch', {});
    const message = expect.stringMatching(/Error: Runtime exited with error: signal: killed$/);
    expect([response.status, response.json()]).toEqual([502, { message }]);
    expect(run.functionsLog().match(/Watch.+"errorType":"Runtime.ExitError"/g)).toHaveLength(1);
  });

  test.each([
    [6_291_556, 200],
    [6_291_557, 502],
  ])('may return %i bytes: %i (recorded on AWS by TemplateStack)', async (responseBytes, status) => {
    const before = run.functionsLog().length;
    expect((await request({ responseBytes })).status).toBe(status);
    const message = 'Response payload size exceeded maximum allowed payload size (6291556 bytes).';
    expect(run.functionsLog().slice(before).includes(message)).toBe(status === 502);
  });

  test('that throws is a 502 and stays warm; the log has the error once', async () => {
    const { pid, count } = (await request({})).json();
    const failed = await request({ fail: 'Out of order' });
    expect(failed.status).toBe(502);
    expect(failed.text).not.toContain('Out of order');
    const logged = () => run.functionsLog().match(/"errorMessage":"Out of order"/g);
    await expect.poll(logged).toHaveLength(1);
    expect((await request({})).json()).toMatchObject({ pid, count: count + 2 });
  });
});
