import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerExamples, batches, changes, refusedBodies } from '../../../docs/openapi/examples.ts';
import { operationNames, operations } from '../../../shared/operations.ts';
import { MAX_BATCH_ENTRIES } from '../../../shared/schemas/limits.ts';
import { assembly, editedAssembly } from '../../support/assembly.ts';
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
import { expectAsTold, expectResponse, unheard } from './as-told.ts';
import { document, type NamedOperation, operationsTold, responsesTold } from './document.ts';

/** More than the tests before the last send to an operation, and never filled again while they run. */
const THROTTLE = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 40 };
const MANY = 60;

let run: LocalRun;
let tables: TableReader;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((edited) => {
    const { MethodSettings } = edited.resource('AWS::ApiGateway::Stage').Properties;
    Object.assign(Object(MethodSettings)[0], THROTTLE);
  });
  run = await startLocal({ assemblyFolder, args: ['--quiet', '--memory'] });
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

const operation = (id: string): NamedOperation => {
  const found = operationsTold.find((each) => each.id === id);
  if (!found) throw new Error(`The document has no ${id}.`);
  return found;
};

const good: Record<string, Sent> = {
  postChange: { body: JSON.stringify(changes.change.value) },
  postMaterialStockBalance: { body: JSON.stringify(batches.ofSeveralMaterials.value) },
};
const goodFor = ({ id }: NamedOperation) => good[id] ?? {};

const askAll = () =>
  Promise.all(operationsTold.map(async (each) => ({ id: each.id, answer: await ask(each, goodFor(each)) })));

test('the base URL ends as the document says', () => {
  const { pathname } = new URL(run.outputs().BaseUrl);
  const [deployed, , local] = document.servers.map(
    ({ url }) => new URL(url.replace(/\{.+?\}/g, 'x')).pathname,
  );
  expect([deployed, local]).toEqual([pathname, pathname]);
});

describe('a 200 is as the document says', () => {
  test('of a change', async () => {
    const told = operation('postChange');
    expect(expectAsTold(told.id, 200, await ask(told, goodFor(told)))).toEqual(changes.change.value);
  });

  test.each(Object.entries(batches))('of a batch: %s', async (_, { value }) => {
    const told = operation('postMaterialStockBalance');
    const answer = await ask(told, { body: JSON.stringify(value) });
    expect(expectAsTold(told.id, 200, answer)).toMatchObject({ EntryCount: value.MaterialCodes.length });
  });

  const lists = operationNames.filter((name) => operations[name].action === 'Scan');
  test.each(lists)('of %s, empty and filled', async (name) => {
    const { table } = operations[name];
    const told = operationsTold.find(({ path }) => path === operations[name].path);
    const list = async () => expectAsTold(told?.id ?? '', 200, await ask(operations[name]));
    const examples = Object.values(answerExamples[name].examples).map(({ value }) => Object(value));
    const filled = examples.find((example) => example[table].length > 0);
    const empty = examples.find((example) => example[table].length === 0);
    expect(await list()).toEqual(empty);
    for (const row of filled[table]) await tables.put(table, row);
    expect(await list()).toEqual(filled);
  });

  test('that is packed', async () => {
    await tables.put('MaterialCodes', { MaterialCode: 'ABC-9', Name: 'x'.repeat(5_000) });
    const told = operation('getMaterialCodes');
    const answer = await ask(told, { headers: { 'Accept-Encoding': 'gzip' } });
    expectAsTold(told.id, 200, answer);
    expect(answer.headers['content-encoding']).toBe('gzip');
  });
});

describe('a refused body is answered as the document says', () => {
  const refusals = [
    ...Object.entries(refusedBodies.change).map(([name, body]) => ['postChange', name, body] as const),
    ...Object.entries(refusedBodies.batch).map(
      ([name, body]) => ['postMaterialStockBalance', name, body] as const,
    ),
  ];

  test.each(refusals)('by %s: %s', async (id, name, body) => {
    const sent = { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const told = expectAsTold(id, 400, await ask(operation(id), sent));
    const { response } = responsesTold.find((each) => each.id === id && each.status === 400) ?? {};
    const example = response?.content['application/problem+json']?.examples[name];
    expect(told).toEqual({ ...Object(example?.value), requestId: Object(told).requestId });
  });

  test('with a hundred faults and more, packed', async () => {
    const body = JSON.stringify({ MaterialCodes: Array(60).fill({}) });
    const told = operation('postMaterialStockBalance');
    const answer = await ask(told, { body, headers: { 'Accept-Encoding': 'gzip' } });
    expect(expectAsTold(told.id, 400, answer)).toMatchObject({ errorCount: 240 });
    expect(answer.headers['content-encoding']).toBe('gzip');
  });

  test('with too many entries', async () => {
    const body = JSON.stringify({ MaterialCodes: Array(MAX_BATCH_ENTRIES + 1).fill(0) });
    const told = operation('postMaterialStockBalance');
    expectAsTold(told.id, 413, await ask(told, { body }));
  });
});

describe.each(operationsTold.filter(({ method }) => method === 'POST'))('$id', (told) => {
  test('answers too many bytes as the document says', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, ' ');
    expect(expectAsTold(told.id, 413, await ask(told, { body }))).toEqual({ message: 'Request Too Long' });
  });

  test.each([
    ['another content type', { 'Content-Type': 'text/plain' }],
    ['no gzip in a body that is called so', { 'Content-Encoding': 'gzip' }],
  ])('answers %s as the document says', async (_, headers) => {
    expectAsTold(told.id, 415, await ask(told, { ...goodFor(told), headers }));
  });

  test('takes what the document has for headers', async () => {
    const headers = { 'Content-Encoding': 'identity', Expect: '100-continue', 'Accept-Encoding': '' };
    expectAsTold(told.id, 200, await ask(told, { ...goodFor(told), headers }));
  });
});

test.each(operationsTold)('$id answers credentials that are not good as the document says', async (told) => {
  const { method } = told;
  expectAsTold(told.id, 401, await send(urlOf(told.path), { method, ...goodFor(told) }));
  const headers = { Authorization: basic('warehouse', 'wrong') };
  expectAsTold(told.id, 401, await ask(told, { ...goodFor(told), headers }));
});

test.each([
  ['GET', '/nowhere'],
  ['PUT', '/rest/warehouse-control/changes'],
])('%s %s is a 404 as the document says', async (method, path) => {
  const answer = await ask({ method, path });
  expect(answer.status).toBe(404);
  const { NotFound } = document.components.responses;
  if (!NotFound) throw new Error('The document has no 404.');
  const told = Object(NotFound.content['application/problem+json']?.examples['problem']?.value);
  expect(expectResponse(NotFound, answer)).toEqual({ ...told, requestId: answer.json().requestId });
});

describe('every operation answers as the document says', () => {
  test('when the tables fail', async () => {
    await disturb(run, { dynamodb: [{ kind: 'error' }] });
    for (const { id, answer } of await askAll()) expectAsTold(id, 503, answer);
    await disturb(run, {});
  });

  test('when there is no table', async () => {
    for (const TableName of Object.values(tables.names)) {
      await tables.client.send(new DeleteTableCommand({ TableName }));
    }
    for (const { id, answer } of await askAll()) expectAsTold(id, 500, answer);
  });

  test('when its function is killed', async () => {
    await disturb(run, { dynamodb: [{ kind: 'delay', delayMs: 60_000 }] });
    const asked = askAll();
    // A change and a batch make one call each, and a list four.
    await eventually(async () => ((await disturbedCalls(run))[0] ?? 0) >= 10);
    for (const name of ['Post', 'Get']) {
      for (const pid of functionProcesses(run, name)) process.kill(pid, 'SIGKILL');
    }
    for (const { id, answer } of await asked) expectAsTold(id, 502, answer);
  });

  test('when there are too many requests at once', async () => {
    for (const { id, method, path } of operationsTold) {
      const many = await Promise.all(Array.from({ length: MANY }, () => send(urlOf(path), { method })));
      const throttled = many.find(({ status }) => status === 429);
      expect(throttled).toBeDefined();
      if (throttled) expectAsTold(id, 429, throttled);
    }
  });
});

/** What only the platform can be brought to say: that a firewall was there, and that a function took too long. */
const FROM_THE_TEMPLATE = [403, 504];

describe('the words of the examples', () => {
  test('are those of the answers', () => {
    expect(unheard().filter(({ status }) => !FROM_THE_TEMPLATE.includes(status))).toEqual([]);
  });

  test('are those of the deployed template where no answer could be had', async () => {
    const template = readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8');
    const untried = unheard();
    expect(new Set(untried.map(({ status }) => status))).toEqual(new Set(FROM_THE_TEMPLATE));
    for (const { detail } of untried) expect(template).toContain(detail);
  });
});
