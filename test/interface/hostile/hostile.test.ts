import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { StoredBatch } from '../../support/table-reader.ts';
import { tracesOf } from '../../support/traces.ts';
import { isDeployment, sendUntilAdmitted, useService } from '../service.ts';
import { base64 } from '../wrong-headers.ts';
import { expectWellFormed } from './answers.ts';
import { type Attempt, HEADER_MARKER } from './attempt.ts';
import { attempts } from './attempts.ts';
import { BODY_MARKER, YEAR_MARKER } from './documents.ts';

const CASES = Number(process.env['CASES'] ?? 5_000);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The tables are checked after at most this many requests. After a failure, fast-check searches for the request. */
const GROUP = 100;
const AT_A_TIME = 4;

const service = useService();
const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
afterAll(() => agent.destroy());

/** What the answers confirmed as stored. */
type Promised = { timestamps: Set<string>; batches: Map<string, StoredBatch> };

const attemptOne = async (attempt: Attempt, { timestamps, batches }: Promised) => {
  const { baseUrl, password } = service();
  const { method, authorization, body, keeps } = attempt;
  const Authorization = authorization?.(service());
  const answer = await sendUntilAdmitted(baseUrl, {
    method,
    path: new URL(baseUrl).pathname + attempt.path,
    headers: { ...attempt.headers, ...(Authorization === undefined ? {} : { Authorization }) },
    agent,
    ...(body ? { body } : {}),
  });
  expectWellFormed(attempt, answer, password);
  if (keeps && 'timestamp' in keeps) timestamps.add(keeps.timestamp);
  else if (keeps) batches.set(answer.json().SnapshotId, keeps.batch);
};

const attemptAll = async (group: Attempt[]) => {
  const promised: Promised = { timestamps: new Set(), batches: new Map() };
  const queue = group.values();
  const worker = async () => {
    for (const attempt of queue) await attemptOne(attempt, promised);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_A_TIME }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return promised;
};

/** The tables contain what the answers confirmed, and nothing that was refused. */
const examine = async (group: Attempt[]) => {
  if (isDeployment) return void (await attemptAll(group));
  const [attempted] = await Promise.allSettled([attemptAll(group)]);
  // The tables are empty for the next group, also after a failure.
  const { changes, batches } = await service().tables.takeAll();
  if (attempted.status === 'rejected') throw attempted.reason;
  const { value: promised } = attempted;
  expect(changes.map(({ Timestamp }) => Timestamp).toSorted()).toEqual([...promised.timestamps].toSorted());
  expect(batches).toEqual(promised.batches);
};

test(`${CASES} almost valid requests are stored whole or refused with a reason (SEED=${SEED})`, async () => {
  const tally: Record<string, number> = {};
  const groups = fc.array(attempts, { minLength: 1, maxLength: GROUP, size: 'max' });
  let count = 0;
  for (let seed = SEED; count < CASES; seed += 1) {
    const property = fc.asyncProperty(groups, async (group) => {
      count += group.length;
      for (const { statuses } of group) tally[statuses.join()] = (tally[statuses.join()] ?? 0) + 1;
      await examine(group);
    });
    await fc.assert(property, { seed, numRuns: 10 });
  }
  process.stdout.write(`${count} requests, SEED=${SEED}: ${JSON.stringify(tally)}\n`);
  // The generators reach every status that they are made for.
  expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '415']));
}, 900_000);

if (!isDeployment) {
  test('no log line contains a password, a header or a body of these requests', () => {
    const { run, username, password } = service();
    const requestLines = run?.said.requests ?? '';
    const functionLines = run?.functionsLog() ?? '';
    for (const code of ['request-served', 'request-refused', 'credentials-refused']) {
      expect(functionLines).toContain(code);
    }
    expect(requestLines).toContain(' POST /rest/warehouse-control/changes 400 ');
    const everything = functionLines + requestLines + (run?.said.problems ?? '');
    const pair = base64(`${username}:${password}`);
    for (const secret of [
      password,
      pair,
      HEADER_MARKER,
      BODY_MARKER,
      `"${YEAR_MARKER}-`,
      `${YEAR_MARKER}-01-`,
    ]) {
      expect(tracesOf(secret, everything)).toEqual([]);
    }
  });
}
