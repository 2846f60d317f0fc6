import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DOCUMENT_FILE } from '../../docs/openapi/generate.ts';
import { execute } from '../clients/execute.ts';
import { type Exchange, startWireTap } from '../clients/wire-tap.ts';
import { documentedOperations } from '../docs/openapi/document.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { startPrism, type Verdict } from './prism-proxy.ts';

/* The interface suite runs against the service. Then Prism's proxy gets the same requests, byte for byte. */

const TIMEOUT = 600_000;

/** The whole suite but for its 5,000 random requests. */
const SUITE = ['answers', 'errors', 'requests', 'values'].map((name) => `test/interface/${name}.test.ts`);

const VITEST = join(projectFolder, 'node_modules/vitest/vitest.mjs');

let service: LocalRun;
let exchanges: Exchange[];
beforeAll(async () => {
  service = await startLocal();
  const { BaseUrl, Clients } = service.outputs();
  const [[CLIENT, PASSWORD] = ['', '']] = Object.entries(Clients);
  const tap = await startWireTap(BaseUrl);
  const { exitCode, stdout } = await execute(
    [process.execPath, VITEST, 'run', '--project', 'interface', ...SUITE],
    projectFolder,
    { BASE_URL: tap.baseUrl, CLIENT, PASSWORD },
    TIMEOUT,
  );
  tap.stop();
  if (exitCode !== 0) throw new Error(stdout);
  exchanges = tap.recording().exchanges;
}, TIMEOUT);
afterAll(() => service.stop());

/** Prism reads no compressed body, no byte-order mark and no path with two slashes. */
const isReadable = ({ request: { head, headers, body } }: Exchange) =>
  !head.includes('//rest/') &&
  !('content-encoding' in headers) &&
  body.subarray(0, 3).toString() !== '\uFEFF';

/** Prism may close the connection before such a body is sent, and then its response is lost. */
const isTooLarge = ({ request }: Exchange) => request.body.length > 10 * 1_024 ** 2;

/** A response that differs from the document is never right. A request is refused by both, or by neither. */
const agrees = (exchange: Exchange, { status, error }: Verdict) =>
  error !== 'VIOLATIONS' &&
  (status === undefined ? isTooLarge(exchange) : (exchange.status === 200) === (status === 200));

const firstLine = ({ request: { head } }: Exchange) => head.slice(0, head.indexOf('\r\n'));

test('Prism and the service agree about each request and response of the interface suite', {
  timeout: TIMEOUT,
}, async () => {
  const prism = await startPrism(fileURLToPath(DOCUMENT_FILE), service.outputs().BaseUrl);
  onTestFinished(prism.stop);
  const differences: object[] = [];
  const accepted = new Set<string>();
  for (const exchange of exchanges.filter(isReadable)) {
    const verdict = await prism.replay(exchange.request);
    if (verdict.status === 200) accepted.add(firstLine(exchange));
    if (!agrees(exchange, verdict))
      differences.push({ request: firstLine(exchange), status: exchange.status, verdict });
  }
  expect(differences).toEqual([]);
  const { pathname } = new URL(service.outputs().BaseUrl);
  const lines = documentedOperations.map(({ method, path }) => `${method} ${pathname}${path} HTTP/1.1`);
  expect([...accepted]).toEqual(expect.arrayContaining(lines));
});

test('Prism finds a response that differs from the document', async () => {
  const list = exchanges.find(({ request, status }) => status === 200 && request.head.startsWith('GET'));
  if (!list) throw new Error('The suite read no list.');
  const edited = readFileSync(DOCUMENT_FILE, 'utf8').replaceAll('"no-store"', '"another value"');
  const file = join(temporaryFolder(), 'openapi.json');
  writeFileSync(file, edited);
  const prism = await startPrism(file, service.outputs().BaseUrl);
  onTestFinished(prism.stop);
  expect(await prism.replay(list.request)).toMatchObject({ error: 'VIOLATIONS' });
});
