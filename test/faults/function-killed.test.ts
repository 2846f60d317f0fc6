import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fourParts, storedBatch } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { disturb, eventually, functionProcesses, type LocalRun, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalf, expectOk, get, post } from './faulty-run.ts';

let run: LocalRun;
let tables: TableReader;
beforeAll(async () => {
  run = await startLocal();
  tables = new TableReader(run.outputs());
});
beforeEach(() => disturb(run, {}));

const LONG_DELAY = { kind: 'delay', delayMs: 20_000 } as const;
const put = { action: 'dynamodb:PutItem' };

const kill = (name: string) => {
  for (const pid of functionProcesses(run, name)) process.kill(pid, 'SIGKILL');
};

/** A process that is killed before it has the request is replaced, so one kill may be too early. */
const killUntilAnswered = async (name: string, request: Promise<Answer>) => {
  let isAnswered = false;
  const answered = request.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    kill(name);
    await Promise.race([answered, sleep(1_000)]);
  }
  return answered;
};

describe('killing a function', () => {
  test('causes a 502 while it handles a change, and a second request stores the change once', async () => {
    const Timestamp = '2026-03-01T08:15:30,123Z';
    // The first call is executed, and its retry hangs.
    await disturb(run, {
      dynamodb: [
        { ...put, kind: 'loseResponse', times: 1 },
        { ...put, ...LONG_DELAY },
      ],
    });
    const answer = post(run, 'changes', { Timestamp });
    await eventually(async () => (await tables.changes()).length === 1);
    kill('PostChange');
    expectProblem(await answer, 502);
    await disturb(run, {});
    expectOk(await post(run, 'changes', { Timestamp }));
    expect(await tables.changes()).toEqual([{ Client: CLIENT, Timestamp }]);
  });

  test.each([
    ['MaterialCodes', 'material-codes'],
    ['PurchaseOrders', 'purchase-orders'],
  ])('causes a 502 while it reads %s, and the next request succeeds', async (name, path) => {
    await disturb(run, { dynamodb: [{ action: 'dynamodb:Scan', ...LONG_DELAY }] });
    expectProblem(await killUntilAnswered(`Get${name}`, get(run, path)), 502);
    await disturb(run, {});
    const answer = await get(run, path);
    expectOk(answer);
    expect(answer.json()).toEqual({ [name]: [] });
  });

  test('causes a 503 while it reads secrets, and the next request succeeds', async () => {
    // Another spelling of the credentials, so that the gateway has no cached policy for it.
    const authorization = run.authorization().replace('Basic', 'basic');
    kill('Authorizer');
    await disturb(run, { secretsmanager: [LONG_DELAY] });
    expectProblem(await killUntilAnswered('Authorizer', get(run, 'material-codes', authorization)), 503);
    await disturb(run, {});
    expectOk(await get(run, 'material-codes', authorization));
  });
});

describe('a batch in four parts', () => {
  const batch = fourParts();
  const stored = storedBatch(batch);
  const visible = () => tables.snapshotIds(CLIENT);
  const written = async (after?: string) => {
    const parts = await Promise.all([1, 2, 3, 4].map((part) => tables.partIds(CLIENT, part, after)));
    return parts.flat();
  };
  /** Ids sort by time of receipt, so that the large earlier snapshots need not be read again. */
  const newest = async () => (await written()).toSorted().at(-1);
  const untilWritten = (count: number, after: string | undefined) =>
    eventually(async () => (await written(after)).length === count);

  test.each([0, 1, 2, 3])(
    'gets a 502 and is invisible if its function is killed after %i parts, and a second request is stored',
    async (after) => {
      const known = await visible();
      const before = await newest();
      await disturb(run, { dynamodb: [{ ...put, ...LONG_DELAY, after }] });
      const answer = post(run, 'material-stock-balance', batch);
      await untilWritten(after, before);
      expectProblem(await killUntilAnswered('PostMaterialStockBalance', answer), 502);
      expect(await visible()).toEqual(known);
      await expectNoHalf(tables, [stored.length], before);
      await disturb(run, {});
      const again = await post(run, 'material-stock-balance', batch);
      expectOk(again);
      expect(await visible()).toEqual([...known, again.json().SnapshotId]);
      expect(await tables.batch(CLIENT, again.json().SnapshotId)).toEqual(stored);
    },
  );

  test('gets a 502 if its function is killed during the last write, and readers see nothing before all parts are stored', async () => {
    const known = await visible();
    await disturb(run, { dynamodb: [{ ...put, kind: 'delay', delayMs: 3_000, after: 3 }] });
    const before = await newest();
    const answer = post(run, 'material-stock-balance', batch);
    await untilWritten(3, before);
    await sleep(500);
    kill('PostMaterialStockBalance');
    expectProblem(await answer, 502);
    expect(await visible()).toEqual(known);
    await eventually(async () => (await tables.snapshotIds(CLIENT, before)).length === 1);
    expect(await tables.batch(CLIENT, (await visible()).at(-1) ?? '')).toEqual(stored);
  });
});
