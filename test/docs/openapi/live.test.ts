import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batches, changes, refusedBodies, responseExamples } from '../../../docs/openapi/examples.ts';
import type { RequestedFaults } from '../../../local/control-server.ts';
import { MAX_BATCH_ENTRIES } from '../../../shared/limits.ts';
import { operationNames, operations } from '../../../shared/operations.ts';
import { assembly, editedAssembly, onlyMatch } from '../../support/assembly.ts';
import { basic, type SentRequest, send } from '../../support/http-client.ts';
import { injectFaults, type LocalRun, startLocal } from '../../support/local-run.ts';
import { TableReader } from '../../support/table-reader.ts';
import {
  document,
  documentedOperations,
  documentedResponse,
  expectDocumented,
  type NamedOperation,
  unseenProblems,
} from './document.ts';

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
  run = await startLocal({ assemblyFolder, hasLimits: true });
  tables = new TableReader(run.outputs());
});
afterAll(() => tables.client.destroy());

const operation = (id: string) => onlyMatch(documentedOperations, (candidate) => candidate.id === id);
const postChange = operation('postChange');
const postBatch = operation('postMaterialStockBalance');

const goodBodies: Record<string, object> = {
  [postChange.id]: changes.change.value,
  [postBatch.id]: batches.ofSeveralMaterials.value,
};

/** Sends a good request with credentials, but for these parts. */
const ask = ({ id, method, path }: NamedOperation, { headers, ...sent }: SentRequest = {}) =>
  send(`${run.outputs().BaseUrl}${path}`, {
    method,
    headers: { Authorization: run.authorization(), 'Content-Type': 'application/json', ...headers },
    ...(goodBodies[id] ? { body: JSON.stringify(goodBodies[id]) } : {}),
    ...sent,
  });

test('the path of the base URL is documented', () => {
  const { pathname } = new URL(run.outputs().BaseUrl);
  const [deployed, , local] = document.servers.map(
    ({ url }) => new URL(url.replace(/\{.+?\}/g, 'x')).pathname,
  );
  expect([deployed, local]).toEqual([pathname, pathname]);
});

const lists = documentedOperations.flatMap((list) => {
  const name = operationNames.find((name) => operations[name].path === list.path);
  return name && operations[name].action === 'Scan' ? [{ name, list }] : [];
});

describe('a 200 matches the document', () => {
  test.each(Object.values(batches))('for the batch "$summary"', async ({ value }) => {
    expectDocumented(postBatch.id, 200, await ask(postBatch, { body: JSON.stringify(value) }));
  });

  test.each(lists)('for $name, empty and filled', async ({ name, list }) => {
    const { table } = operations[name];
    const read = async () =>
      expectDocumented(list.id, 200, await ask(list, { headers: { 'Accept-Encoding': 'gzip' } }));
    const examples = Object.values(responseExamples[name].examples);
    const [filled, empty] = examples.map(({ value }) => Object(value));
    expect(await read()).toEqual(empty);
    for (const row of filled[table]) await tables.put(table, row);
    expect(await read()).toEqual(filled);
  });
});

test.each([
  ...Object.entries(refusedBodies.change).map(([name, body]) => [postChange.id, name, body] as const),
  ...Object.entries(refusedBodies.batch).map(([name, body]) => [postBatch.id, name, body] as const),
])('%s responds to a refused body with the example of its 400: %s', async (id, name, refused) => {
  const sent = { body: typeof refused === 'string' ? refused : JSON.stringify(refused) };
  const body = expectDocumented(id, 400, await ask(operation(id), sent));
  const example = documentedResponse(id, 400).content['application/problem+json']?.examples[name];
  expect(body).toEqual({ ...Object(example?.value), requestId: Object(body).requestId });
});

const tooManyEntries = JSON.stringify({ MaterialCodes: Array(MAX_BATCH_ENTRIES + 1).fill(0) });

test.each<[string, string, number, SentRequest]>([
  [postBatch.id, 'too many entries', 413, { body: tooManyEntries }],
  ...[postChange.id, postBatch.id].flatMap((id): [string, string, number, SentRequest][] => [
    [id, 'a body over 6 MB', 413, { body: Buffer.alloc(6_400_000, ' ') }],
    [id, 'a body over 10 MB', 413, { body: Buffer.alloc(10 * 2 ** 20 + 1, ' ') }],
    [id, 'another type', 415, { headers: { 'Content-Type': 'text/plain', 'Accept-Encoding': 'gzip' } }],
    [id, 'a body that is not the gzip of its header', 415, { headers: { 'Content-Encoding': 'gzip' } }],
    [id, 'a header for 100 Continue', 200, { headers: { Expect: '100-continue' } }],
  ]),
  ...lists.map(({ list }): [string, string, number, SentRequest] => [
    list.id,
    'a body in another encoding',
    415,
    { headers: { 'Content-Encoding': 'br' }, body: '{}' },
  ]),
])('%s responds to %s with %i as documented', async (id, _, status, sent) => {
  expectDocumented(id, status, await ask(operation(id), sent));
});

const unknown = { headers: { Authorization: basic('nobody', 'any') } };

describe.each(documentedOperations)('$id responds as documented', (operation) => {
  const { id, method, path } = operation;

  test('if credentials are missing or wrong', async () => {
    expectDocumented(id, 401, await send(`${run.outputs().BaseUrl}${path}`, { method }));
    const headers = { Authorization: basic('warehouse', 'wrong') };
    expectDocumented(id, 401, await ask(operation, { headers }));
  });

  test.each<[string, number, RequestedFaults, SentRequest]>([
    ['the tables fail', 503, { dynamodb: [{ kind: 'error' }] }, {}],
    ['its function is throttled', 500, { lambda: [{ throttle: 'Post' }, { throttle: 'Get' }] }, {}],
    ['its function is killed', 502, { lambda: [{ kill: 'Post' }, { kill: 'Get' }] }, {}],
    ['the authorizer is throttled', 503, { lambda: [{ throttle: 'Authorizer' }] }, unknown],
  ])('if %s', async (_, status, faults, sent) => {
    await injectFaults(run, faults);
    expectDocumented(id, status, await ask(operation, sent));
    await injectFaults(run, {});
  });
});

test('every operation responds to too many requests at once as documented', async () => {
  for (const { id, method, path } of documentedOperations) {
    const url = `${run.outputs().BaseUrl}${path}`;
    const responses = await Promise.all(Array.from({ length: MANY }, () => send(url, { method })));
    const throttled = responses.find(({ status }) => status === 429);
    if (!throttled) throw new Error(`No request of ${id} was throttled.`);
    expectDocumented(id, 429, throttled);
  }
});

/** The responses of the firewall, of a quota and of a gateway timeout, which this run cannot give. */
const FROM_THE_TEMPLATE = [403, 429, 504];

test('each example problem has the detail of a response, or of the template if no test can cause the response', async () => {
  const unseen = unseenProblems();
  expect(new Set(unseen.map(({ status }) => status))).toEqual(new Set(FROM_THE_TEMPLATE));
  const template = readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8');
  for (const { detail } of unseen) expect(template).toContain(detail);
});
