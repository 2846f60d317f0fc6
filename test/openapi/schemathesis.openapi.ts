import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute } from '../clients/execute.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { SCHEMATHESIS } from './tools.ts';

/**
 * Without the checks of which requests are right: some rules are no schema, and the gateway reads an empty header as
 * none. `test/interface/hostile` has these. Nor the check that another method is a 405: here it is a 404.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
];

const TIMEOUT_MS = 600_000;

let service: LocalRun;
beforeAll(async () => {
  service = await startLocal();
});
afterAll(() => service.stop());

/** As the client that openapi-generator makes for Python does before each request. */
const COMPILE_PATTERNS = `
import json, re
patterns = []
def collect(object):
    if isinstance(object.get('pattern'), str): patterns.append(re.compile(object['pattern']))
    return object
json.load(open('docs/openapi.json', encoding='utf-8'), object_hook=collect)
print(sum(bool(pattern.match('Сталь-10/А')) for pattern in patterns), 'of', len(patterns))
`;

test("Python's re reads every pattern, and two accept a Cyrillic code", async () => {
  const { stdout, stderr } = await execute(['python3', '-c', COMPILE_PATTERNS], projectFolder, {});
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^2 of \d+\n$/), '']);
});

type Document = { paths: Record<string, Record<string, { responses: Record<string, object> }>> };
type Responses = Record<string, object>;

/** The API document with changed responses, for schemathesis. */
const documentWith = (change: (responses: Responses) => Responses) => {
  const document: Document = JSON.parse(readFileSync(join(projectFolder, 'docs/openapi.json'), 'utf8'));
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
    operation.responses = change(operation.responses);
  return JSON.stringify(document);
};

/** Makes requests from the document and compares the responses with it. The seed makes the same requests each time. */
const compare = async (document: string, examples: number) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'openapi.json'), document);
  const [credentials = []] = Object.entries(service.outputs().Clients);
  const { exitCode, stdout } = await execute(
    [
      SCHEMATHESIS,
      ...['run', 'openapi.json', '--url', service.outputs().BaseUrl, '--auth', credentials.join(':')],
      ...['--checks', CHECKS.join(), '--seed', '1', '--max-examples', String(examples)],
      ...['--continue-on-failure', '--generation-database', 'none', '--no-color'],
    ],
    folder,
    {},
    TIMEOUT_MS,
  );
  return { exitCode, stdout };
};

test('every response to a request that the document describes is in the document, and none is a 5xx', {
  timeout: TIMEOUT_MS,
}, async () => {
  expect(
    await compare(
      documentWith((responses) => responses),
      100,
    ),
  ).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/Tested: 4\n.* \d+ generated, \d+ passed/s),
  });
});

test('a response that is not in the document is found', { timeout: TIMEOUT_MS }, async () => {
  const { exitCode, stdout } = await compare(
    documentWith(({ 400: _, ...others }) => others),
    5,
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/Undocumented status code\s+Received: 400/);
});
