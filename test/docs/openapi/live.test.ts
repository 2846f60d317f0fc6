import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerExamples, batches, changes, refusedBodies } from '../../../docs/openapi/examples.ts';
import { operationNames, operations } from '../../../shared/operations.ts';
import { MAX_BATCH_ENTRIES } from '../../../shared/schemas/limits.ts';
import { assembly, editedAssembly, onlyMatch } from '../../support/assembly.ts';
import { basic, type Sent, send } from '../../support/http-client.ts';
import {
  disturb,
  disturbedCalls,
  eventually,
  functionProcesses,
  type LocalRun,
  startLocal,
} from '../../support/local-run.ts';
import { TableReader } from '../../support/table-reader.ts';
import {
  document,
  documentedOperations,
  documentedResponse,
  errorsAgainst,
  type NamedOperation,
} from './document.ts';
import { expectDocumented, unseenProblems } from './expect-documented.ts';

/** Allows the requests of all tests but the last, and is not refilled while they run. */
const THROTTLE = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 40 };
const MANY = 60;

let run: LocalRun;
let tables: TableReader;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((edited) => {
    const { MethodSettings } = edited.resource('AWS::ApiGateway::Stage').Properties;
    Object.assign(Object(MethodSettings)[0], THROTTLE);
    const { ApiStages } = edited.resource('AWS::ApiGateway::UsagePlan').Properties;
    Object.assign(Object(ApiStages)[0], { Throttle: {} });
  });
  run = await startLocal({ assemblyFolder, isThrottled: true });
  tables = new TableReader(run.outputs());
});
afterAll(() => tables.client.destroy());

const urlOf = (path: string) => `${run.outputs().BaseUrl}${path}`;

/** With credentials, and as JSON, unless headers say otherwise. */
const ask = ({ method, path }: { method: string; path: string }, { headers, body }: Sent = {}) =>
  send(urlOf(path), {
    method,
    headers: { Authorization: run.authorization(), 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });

const operation = (id: string) => onlyMatch(documentedOperations, (candidate) => candidate.id === id);

const goodBodies: Record<string, object> = {
  postChange: changes.change.value,
  postMaterialStockBalance: batches.ofSeveralMaterials.value,
};
const goodRequest = ({ id }: NamedOperation): Sent =>
  goodBodies[id] ? { body: JSON.stringify(goodBodies[id]) } : {};

/** Sends a good request to every operation at once. */
const askAll = () =>
  Promise.all(
    documentedOperations.map(async (operation) => ({
      id: operation.id,
      answer: await ask(operation, goodRequest(operation)),
    })),
  );

test('the path of the base URL is documented', () => {
  const { pathname } = new URL(run.outputs().BaseUrl);
  const [deployed, , local] = document.servers.map(
    ({ url }) => new URL(url.replace(/\{.+?\}/g, 'x')).pathname,
  );
  expect([deployed, local]).toEqual([pathname, pathname]);
});

describe('a 200 matches the document', () => {
  test.each([
    ['postChange', changes.change.value, changes.change.value],
    ...Object.values(batches).map(
      ({ value }) => ['postMaterialStockBalance', value, { EntryCount: value.MaterialCodes.length }] as const,
    ),
  ] as const)('for %s with %j', async (id, sent, expected) => {
    const answer = await ask(operation(id), { body: JSON.stringify(sent) });
    expect(expectDocumented(id, 200, answer)).toMatchObject(expected);
  });

  const lists = documentedOperations.flatMap(({ id, method, path }) => {
    const name = operationNames.find((name) => operations[name].path === path);
    return name && operations[name].action === 'Scan' ? [{ id, method, path, name }] : [];
  });
  test.each(lists)('for $name, empty and filled', async ({ id, name, ...request }) => {
    const { table } = operations[name];
    const list = async () => expectDocumented(id, 200, await ask(request));
    const examples = Object.values(answerExamples[name].examples).map(({ value }) => Object(value));
    const filled = onlyMatch(examples, (example) => example[table].length > 0);
    const empty = onlyMatch(examples, (example) => example[table].length === 0);
    expect(await list()).toEqual(empty);
    for (const row of filled[table]) await tables.put(table, row);
    expect(await list()).toEqual(filled);
  });

  test('for a list packed with gzip', async () => {
    await tables.put('MaterialCodes', { MaterialCode: 'ABC-9', Name: 'x'.repeat(5_000) });
    const answer = await ask(operation('getMaterialCodes'), { headers: { 'Accept-Encoding': 'gzip' } });
    expectDocumented('getMaterialCodes', 200, answer);
    expect(answer.headers['content-encoding']).toBe('gzip');
  });
});

describe('a refused body is answered as documented', () => {
  const refusals = [
    ...Object.entries(refusedBodies.change).map(([name, body]) => ['postChange', name, body] as const),
    ...Object.entries(refusedBodies.batch).map(
      ([name, body]) => ['postMaterialStockBalance', name, body] as const,
    ),
  ];

  test.each(refusals)('by %s: %s', async (id, name, refused) => {
    const sent = { body: typeof refused === 'string' ? refused : JSON.stringify(refused) };
    const body = expectDocumented(id, 400, await ask(operation(id), sent));
    const example = documentedResponse(id, 400).content['application/problem+json']?.examples[name];
    expect(body).toEqual({ ...Object(example?.value), requestId: Object(body).requestId });
  });

  test('with over a hundred faults, packed with gzip', async () => {
    const body = JSON.stringify({ MaterialCodes: Array(60).fill({}) });
    const sent = { body, headers: { 'Accept-Encoding': 'gzip' } };
    const answer = await ask(operation('postMaterialStockBalance'), sent);
    expect(expectDocumented('postMaterialStockBalance', 400, answer)).toMatchObject({ errorCount: 240 });
    expect(answer.headers['content-encoding']).toBe('gzip');
  });

  test('with too many entries', async () => {
    const body = JSON.stringify({ MaterialCodes: Array(MAX_BATCH_ENTRIES + 1).fill(0) });
    expectDocumented(
      'postMaterialStockBalance',
      413,
      await ask(operation('postMaterialStockBalance'), { body }),
    );
  });
});

describe.each(documentedOperations.filter(({ method }) => method === 'POST'))('$id', (post) => {
  test.each([
    ['6 MB', 'as a problem', 6_400_000, expect.objectContaining({ status: 413 })],
    ['10 MB', 'in plain text', 10 * 1024 * 1024 + 1, 'HTTP content length exceeded 10485760 bytes.'],
  ])('answers a body over %s with a 413 %s, as documented', async (_limit, _form, bytes, expected) => {
    const body = Buffer.alloc(bytes, ' ');
    expect(expectDocumented(post.id, 413, await ask(post, { body }))).toEqual(expected);
  });

  test.each([
    ['another content type', 415, { 'Content-Type': 'text/plain', 'Accept-Encoding': 'gzip' }],
    ['a body that is not the gzip of its header', 415, { 'Content-Encoding': 'gzip' }],
    [
      'the documented headers',
      200,
      { 'Content-Encoding': 'identity', Expect: '100-continue', 'Accept-Encoding': '' },
    ],
  ])('answers %s with %i as documented', async (_, status, headers) => {
    expectDocumented(post.id, status, await ask(post, { ...goodRequest(post), headers }));
  });
});

test.each(documentedOperations)(
  '$id answers missing and wrong credentials as documented',
  async (operation) => {
    const { id, method, path } = operation;
    expectDocumented(id, 401, await send(urlOf(path), { method, ...goodRequest(operation) }));
    const headers = { Authorization: basic('warehouse', 'wrong') };
    expectDocumented(id, 401, await ask(operation, { ...goodRequest(operation), headers }));
  },
);

test.each([
  ['GET', '/nowhere'],
  ['PUT', '/rest/warehouse-control/changes'],
])('%s %s is a 404 as documented', async (method, path) => {
  const answer = await ask({ method, path });
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(errorsAgainst({ $ref: '#/components/schemas/Problem' }, answer.json())).toEqual([]);
});

describe('every operation answers as documented', () => {
  test('when the tables fail', async () => {
    await disturb(run, { dynamodb: [{ kind: 'error' }] });
    for (const { id, answer } of await askAll()) expectDocumented(id, 503, answer);
    await disturb(run, {});
  });

  test('when its function or the authorizer is throttled', async () => {
    await disturb(run, { lambda: [{ throttle: 'Post' }, { throttle: 'Get' }] });
    for (const { id, answer } of await askAll()) expectDocumented(id, 500, answer);
    await disturb(run, { lambda: [{ throttle: 'Authorizer' }] });
    const unknown = { headers: { Authorization: basic('nobody', 'any') } };
    for (const operation of documentedOperations)
      expectDocumented(operation.id, 503, await ask(operation, unknown));
    await disturb(run, {});
  });

  test('when there is no table', async () => {
    for (const TableName of Object.values(tables.names)) {
      await tables.client.send(new DeleteTableCommand({ TableName }));
    }
    for (const { id, answer } of await askAll()) expectDocumented(id, 500, answer);
  });

  test.each(documentedOperations)('when the function of $id is killed', async (operation) => {
    await disturb(run, { dynamodb: [{ kind: 'delay', delayMs: 60_000 }] });
    const asked = ask(operation, goodRequest(operation));
    await eventually(async () => (await disturbedCalls(run))[0] === 1);
    for (const name of ['Post', 'Get']) {
      for (const pid of functionProcesses(run, name)) process.kill(pid, 'SIGKILL');
    }
    expectDocumented(operation.id, 502, await asked);
  });

  test('when there are too many requests at once', async () => {
    for (const { id, method, path } of documentedOperations) {
      const answers = await Promise.all(Array.from({ length: MANY }, () => send(urlOf(path), { method })));
      const throttled = answers.find(({ status }) => status === 429);
      if (!throttled) throw new Error(`No request of ${id} was throttled.`);
      expectDocumented(id, 429, throttled);
    }
  });
});

/** The answers of the firewall and of a gateway timeout, which the local run cannot give. */
const FROM_THE_TEMPLATE = [403, 504];

test('each example problem has the detail of an answer, or of the template if no test can cause the answer', async () => {
  const unseen = unseenProblems();
  expect(new Set(unseen.map(({ status }) => status))).toEqual(new Set(FROM_THE_TEMPLATE));
  const template = readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8');
  for (const { detail } of unseen) expect(template).toContain(detail);
});
