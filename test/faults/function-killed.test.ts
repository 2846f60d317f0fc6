import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fourParts, storedBatch } from '../support/batches.ts';
import type { HttpResponse } from '../support/http-client.ts';
import {
  eventually,
  functionProcesses,
  injectFaults,
  type LocalRun,
  startLocal,
} from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalfBatch, expectOk } from './faulty-run.ts';

let run: LocalRun;
let tables: TableReader;

beforeAll(async () => {
  run = await startLocal();
  tables = new TableReader(run.outputs());
});
beforeEach(() => injectFaults(run, {}));

const NO_RESPONSE = { kind: 'delay', delayMs: 3_600_000 } as const;
const put = { action: 'dynamodb:PutItem' };

const kill = (name: string) => {
  for (const pid of functionProcesses(run, name)) process.kill(pid, 'SIGKILL');
};

/** If a process is killed before it has the request, another process serves the request. So one kill may be too early. */
const killUntilResponse = async (name: string, request: Promise<HttpResponse>) => {
  let hasResponse = false;
  const responded = request.finally(() => {
    hasResponse = true;
  });
  while (!hasResponse) {
    kill(name);
    await Promise.race([responded, sleep(300)]);
  }
  return responded;
};

test('a change whose function is killed gets a 502, and a second request stores the change once', async () => {
  const Timestamp = '2026-03-01T08:15:30,123Z';
  // The first call is executed, and its retry hangs.
  const lost = { ...put, kind: 'loseResponse', times: 1 } as const;
  await injectFaults(run, { dynamodb: [lost, { ...put, ...NO_RESPONSE }] });
  const response = run.post('changes', { Timestamp });
  await eventually(async () => (await tables.changes()).length === 1);
  kill('PostChange');
  expectProblem(await response, 502);
  await injectFaults(run, {});
  expectOk(await run.post('changes', { Timestamp }));
  expect(await tables.changes()).toEqual([{ Client: CLIENT, Timestamp }]);
});

test('a request whose authorizer is killed gets a 503, and the next request succeeds', async () => {
  // Another spelling of the credentials, so that the gateway has no cached policy for it.
  const authorization = run.authorization().replace('Basic', 'basic');
  kill('Authorizer');
  await injectFaults(run, { clients: [NO_RESPONSE] });
  expectProblem(await killUntilResponse('Authorizer', run.get('material-codes', authorization)), 503);
  await injectFaults(run, {});
  expectOk(await run.get('material-codes', authorization));
});

const batch = fourParts();
const storedEntries = storedBatch(batch);

const visibleIds = () => tables.snapshotIds(CLIENT);
const partIds = async (after?: string) => {
  const parts = await Promise.all([1, 2, 3, 4].map((part) => tables.partIds(CLIENT, part, after)));
  return parts.flat();
};
/** Ids sort by time of receipt. With the newest id, a test need not read the large earlier snapshots again. */
const newest = async () => (await partIds()).toSorted().at(-1);
const untilWritten = (count: number, after: string | undefined) =>
  eventually(async () => (await partIds(after)).length === count);

test('a batch whose function is killed after two parts gets a 502 and is invisible, and a second request is stored', async () => {
  const known = await visibleIds();
  const before = await newest();
  await injectFaults(run, { dynamodb: [{ ...put, ...NO_RESPONSE, after: 2 }] });
  const response = run.post('material-stock-balance', batch);
  await untilWritten(2, before);
  expectProblem(await killUntilResponse('PostMaterialStockBalance', response), 502);
  expect(await visibleIds()).toEqual(known);
  await expectNoHalfBatch(tables, [storedEntries.length], before);
  await injectFaults(run, {});
  const again = await run.post('material-stock-balance', batch);
  expectOk(again);
  expect(await visibleIds()).toEqual([...known, again.json().SnapshotId]);
  expect(await tables.batch(CLIENT, again.json().SnapshotId)).toEqual(storedEntries);
});

test('a batch whose function is killed during the last write gets a 502, and readers see nothing before all parts are stored', async () => {
  const known = await visibleIds();
  const before = await newest();
  // The last write is executed after the kill.
  await injectFaults(run, { dynamodb: [{ ...put, kind: 'delay', after: 3 }] });
  const response = run.post('material-stock-balance', batch);
  await untilWritten(3, before);
  expect(await visibleIds()).toEqual(known);
  expectProblem(await killUntilResponse('PostMaterialStockBalance', response), 502);
  await eventually(async () => (await tables.snapshotIds(CLIENT, before)).length === 1);
  expect(await tables.batch(CLIENT, (await visibleIds()).at(-1) ?? '')).toEqual(storedEntries);
});
