import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { checks } from '../admin/doctor/checks/all.ts';
import type { ProbeSession } from '../admin/doctor/probe/probe-client.ts';
import { runChecks } from '../admin/doctor/run-checks.ts';
import { notAsked, type Row, toRow } from './fact.ts';
import { projectFolder, runProgram } from './programs.ts';

const CHECK_LIMIT_MS = 35_000;

/** The files that model what a check looks at. For all other checks, it is the gateway. */
const models: Record<string, string> = {
  tls: 'infra/api/rest-api.ts (the local run has no TLS)',
  'wrong-password': 'local/gateway/authorization.ts',
  'sign-in': 'local/gateway/authorization.ts',
  'gzip-answer': 'local/gateway/payload.ts',
  'gzip-request': 'local/gateway/payload.ts',
  'batch-3mb': 'local/lambda/lambda.ts',
};

/** A row for each check of the doctor. */
export async function* askDoctor(session: ProbeSession, interrupted: AbortSignal): AsyncGenerator<Row> {
  for await (const { name, state, seen } of runChecks(session, checks, CHECK_LIMIT_MS, interrupted)) {
    const fact = {
      name: `doctor: ${name}`,
      expected: 'ok',
      model: models[name] ?? 'local/gateway/gateway.ts',
    };
    const row = toRow(fact, state === 'ok' ? 'ok' : state);
    yield state === 'not-tried' ? notAsked(fact, seen) : { ...row, seen: `${state}: ${seen}` };
  }
}

const TestReport = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })),
    }),
  ),
});

const MAX_TITLES = 5;

/** A row for each file of `npm run test:interface`. */
export const askInterface = async (
  session: { baseUrl: string; username: string; password: string },
  interrupted: AbortSignal,
): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-proof-'));
  const outputFile = join(folder, 'results.json');
  const args = ['run', '--project', 'interface', '--reporter=json', `--outputFile=${outputFile}`];
  const { baseUrl: BASE_URL, username: CLIENT, password: PASSWORD } = session;
  try {
    await runProgram(
      ['node_modules/vitest/vitest.mjs', ...args],
      { BASE_URL, CLIENT, PASSWORD },
      interrupted,
    );
    const { testResults } = v.parse(TestReport, JSON.parse(readFileSync(outputFile, 'utf8')));
    return testResults.map(toFileRow);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const toFileRow = ({ name, assertionResults }: v.InferOutput<typeof TestReport>['testResults'][number]) => {
  const failed = assertionResults.filter(({ status }) => status !== 'passed');
  const titles = failed.slice(0, MAX_TITLES).map(({ fullName }) => fullName);
  const more = failed.length > MAX_TITLES ? `; and ${failed.length - MAX_TITLES} more` : '';
  const seen =
    assertionResults.length === 0 || failed.length > 0
      ? `${failed.length} of ${assertionResults.length} fail: ${titles.join('; ')}${more}`
      : 'all pass';
  return toRow({ name: relative(projectFolder, name), expected: 'all pass', model: 'local/gateway/' }, seen);
};
