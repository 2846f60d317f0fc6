import { Agent } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeRule } from '../../../admin/stock/checks/kinds/refused-request.ts';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { adminHereOn } from '../../admin/in-process.ts';
import { RULE } from '../../support/body-cases.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { expectChallenge, expectProblem } from '../../support/problem.ts';
import type { StoredBatch } from '../../support/table-reader.ts';
import { tracesOf } from '../../support/traces.ts';
import { isDeployment, type Service, sendUntilAdmitted, useService } from '../service.ts';
import { attempts, kinds } from './attempts.ts';
import { BODY_MARKER, YEAR_MARKER } from './documents.ts';
import { type Attempt, authorizationOf, HEADER_MARKER } from './submissions.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The tables are checked after at most this many requests. After a failure, fast-check searches for the request. */
const GROUP = 100;
const AT_A_TIME = 2;

/** Begins with an attempt of every kind, so that no kind depends on chance. */
const groups = fc
  .tuple(
    fc.tuple(...kinds.map(({ arbitrary }) => arbitrary)),
    fc.array(attempts, { maxLength: GROUP - kinds.length, size: 'max' }),
  )
  .map(([each, more]) => [...each, ...more]);

const STACK = /\n\s+at |\bat [\w.]+ \(|node_modules|\.[cm]?[jt]s:\d+/;

/** Checks what the contract says about every response. */
const expectWellFormed = (attempt: Attempt, response: HttpResponse, password: string) => {
  expect(attempt.statuses, `${attempt.title} gets ${response.status} ${response.text}`).toContain(
    response.status,
  );
  expect(response.text).not.toMatch(STACK);
  // A pointer repeats the name of the wrong field.
  const words = response.text.replaceAll(/"pointer":"[^"]*"/g, '');
  const traces = [password, BODY_MARKER, HEADER_MARKER].flatMap((secret) => tracesOf(secret, words));
  expect(traces).toEqual([]);
  if (attempt.isPlain || attempt.method === 'HEAD') return;
  if (response.status === 200) expectResult(attempt, response);
  else expectRefusal(response);
};

const expectResult = ({ path, keeps }: Attempt, response: HttpResponse) => {
  expect(response.headers['content-type']).toBe('application/json');
  const body = response.json();
  if (keeps && 'timestamp' in keeps) expect(body).toEqual({ Timestamp: keeps.timestamp });
  else if (keeps) expect(body).toMatchObject({ EntryCount: keeps.batch.length });
  else expect(Object.keys(body)).toEqual([path.includes('codes') ? 'MaterialCodes' : 'PurchaseOrders']);
};

const expectRefusal = (response: HttpResponse) => {
  if (response.status === 401) return expectChallenge(response);
  expect(response.headers['www-authenticate']).toBeUndefined();
  const { errors, errorCount } = response.json();
  if (errors === undefined) return expectProblem(response, response.status);
  expectProblem(response, 400, { errors, errorCount });
  const error = { detail: expect.stringMatching(/\w/), pointer: expect.stringMatching(/^#(\/.*)?$/s) };
  expect(errors).toEqual(Array(Math.min(errorCount, 100)).fill(error));
};

/** The data that the responses confirmed as stored. */
type Confirmation = { timestamps: Set<string>; batches: Map<string, StoredBatch> };

const sendAttempt = async (service: Service, agent: Agent, attempt: Attempt, promised: Confirmation) => {
  const { baseUrl, password } = service;
  const { method, authorization, body, keeps } = attempt;
  const Authorization = authorization?.(service);
  const response = await sendUntilAdmitted(baseUrl, {
    method,
    path: new URL(baseUrl).pathname + attempt.path,
    headers: { ...attempt.headers, ...(Authorization === undefined ? {} : { Authorization }) },
    agent,
    ...(body ? { body } : {}),
  });
  expectWellFormed(attempt, response, password);
  if (keeps && 'timestamp' in keeps) promised.timestamps.add(keeps.timestamp);
  else if (keeps) promised.batches.set(response.json().SnapshotId, keeps.batch);
};

const sendAttempts = async (service: Service, group: Attempt[], promised: Confirmation) => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  const send = (attempt: Attempt) => sendAttempt(service, agent, attempt, promised);
  await forEachConcurrently(AT_A_TIME, group.values(), send).finally(() => agent.destroy());
};

/** The tables contain what the responses confirmed, and nothing that was refused. */
const sendAndCompare = async (service: Service, group: Attempt[]) => {
  const promised: Confirmation = { timestamps: new Set(), batches: new Map() };
  const sending = sendAttempts(service, group, promised);
  if (isDeployment) return sending;
  await Promise.allSettled([sending]);
  // The tables are empty for the next group, also after a failure.
  const { changes, batches } = await service.tables.takeAll();
  await sending;
  expect(changes.map(({ Timestamp }) => Timestamp).toSorted()).toEqual([...promised.timestamps].toSorted());
  expect(batches).toEqual(promised.batches);
};

/** Sends at least so many requests. The environment may set CASES, and the SEED that repeats a run. */
export const testHostileRequests = (atLeast: number) => {
  const cases = Number(process.env['CASES'] ?? atLeast);
  const service = useService();

  test(`${cases} almost valid requests are stored whole or refused with a reason (SEED=${SEED})`, async () => {
    const tally: Record<string, number> = {};
    let count = 0;
    for (let seed = SEED; count < cases; seed += 1) {
      const property = fc.asyncProperty(groups, async (group) => {
        count += group.length;
        for (const { statuses } of group) tally[statuses.join()] = (tally[statuses.join()] ?? 0) + 1;
        await sendAndCompare(service(), group);
      });
      await fc.assert(property, { seed, numRuns: 2 });
    }
    process.stdout.write(`${count} requests, SEED=${SEED}: ${JSON.stringify(tally)}\n`);
    // The generators reach every status that they are made for.
    expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '415']));
  }, 900_000);

  if (isDeployment) return;
  test('no log line contains a password, a header or a body of these requests, and check counts the refused ones', async () => {
    const { run, password } = service();
    const requestLines = run?.output.requests ?? '';
    const functionLines = run?.functionsLog() ?? '';
    for (const code of ['request-served', 'request-refused', 'credentials-refused']) {
      expect(functionLines).toContain(code);
    }
    expect(requestLines).toContain(' POST /rest/warehouse-control/changes 400 ');
    const rules = [...functionLines.matchAll(/"code":"request-refused".*?"rule":"(.*?)"/g)].map(
      ([, rule]) => rule,
    );
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of new Set(rules)) expect(rule).toMatch(RULE);
    const { stdout } = await adminHereOn(String(run?.data), ['check', '--kind', 'refused-request', '--json']);
    const findings: { Subject: string; Detail: string }[] = JSON.parse(stdout);
    const counted = findings.map(({ Subject, Detail }) => [
      Subject,
      Number(Detail.split(' ')[0]?.replace(',', '')),
    ]);
    const wanted = Map.groupBy(rules, String)
      .entries()
      .map(([rule, { length }]) => [writeRule(rule), length]);
    expect(counted.toSorted()).toEqual([...wanted].toSorted());
    const everything = functionLines + requestLines + (run?.output.notices ?? '');
    const pair = authorizationOf(service()).slice('Basic '.length);
    const years = [`"${YEAR_MARKER}-`, `${YEAR_MARKER}-01-`];
    for (const secret of [password, pair, HEADER_MARKER, BODY_MARKER, ...years]) {
      expect(tracesOf(secret, everything)).toEqual([]);
    }
  });
};
