import { beforeAll, beforeEach, expect, test } from 'vitest';
import { largeBatch, storedBatch } from '../support/batches.ts';
import {
  eventually,
  faultyCalls,
  functionProcesses,
  injectFaults,
  type LocalRun,
} from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalfBatch, expectOk, startWithoutCache } from './faulty-run.ts';

let run: LocalRun;
let tables: TableReader;
beforeAll(async () => {
  run = await startWithoutCache();
  tables = new TableReader(run.outputs());
});
beforeEach(() => injectFaults(run, {}));

const NO_RESPONSE = { kind: 'delay', delayMs: 3_600_000 } as const;
const put = { action: 'dynamodb:PutItem' };

const kill = (name: string) => {
  for (const pid of functionProcesses(run, name)) process.kill(pid, 'SIGKILL');
};

/** Then a process has the request. */
const untilFaultHits = () => eventually(async () => (await faultyCalls(run))[0] === 1);

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
  kill('Authorizer');
  await injectFaults(run, { clients: [NO_RESPONSE] });
  const response = run.get('material-codes');
  await untilFaultHits();
  kill('Authorizer');
  expectProblem(await response, 503);
  await injectFaults(run, {});
  expectOk(await run.get('material-codes'));
});

/** It has three parts. */
const batch = largeBatch();
const storedEntries = storedBatch(batch);

const visibleIds = () => tables.snapshotIds(CLIENT);
test('a batch whose function is killed after two parts gets a 502 and is invisible, and a second request is stored', async () => {
  await injectFaults(run, { dynamodb: [{ ...put, ...NO_RESPONSE, after: 2 }] });
  const response = run.post('material-stock-balance', batch);
  // This call writes part 1, which comes last.
  await untilFaultHits();
  kill('PostMaterialStockBalance');
  expectProblem(await response, 502);
  await expectNoHalfBatch(tables, []);
  await injectFaults(run, {});
  const again = await run.post('material-stock-balance', batch);
  expectOk(again);
  const { SnapshotId } = again.json();
  expect(await visibleIds()).toEqual([SnapshotId]);
  expect(await tables.batch(CLIENT, SnapshotId)).toEqual(storedEntries);
  await tables.clear('BalanceSnapshots');
});

test('a batch whose function is killed during the last write gets a 502, and readers see nothing before all parts are stored', async () => {
  // The last write is executed after the kill.
  await injectFaults(run, { dynamodb: [{ ...put, kind: 'delay', after: 2 }] });
  const response = run.post('material-stock-balance', batch);
  // This call writes part 1, which comes last.
  await untilFaultHits();
  expect(await visibleIds()).toEqual([]);
  kill('PostMaterialStockBalance');
  expectProblem(await response, 502);
  await eventually(async () => (await visibleIds()).length === 1);
  expect(await tables.batch(CLIENT, (await visibleIds())[0] ?? '')).toEqual(storedEntries);
});
