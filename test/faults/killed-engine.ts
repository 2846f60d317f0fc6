import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { eventually, killEngine, type LocalRun, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalfBatch, expectUnavailable } from './faulty-run.ts';

type Delivery<Body> = { body: Body; response: HttpResponse };

/** One batch with a single part, and one with several parts. No two batches are equal. */
const SIZES = [50, 1_100];
let batches = 0;
const newBatch = (count: number) => {
  batches += 1;
  return batchOf(count, `-${batches}-${'鋼'.repeat(count === 50 ? 1 : 230)}`);
};

/** Returns the deliveries with a 200. All other deliveries have to get a 503. */
const findAcknowledged = <Body>(sent: Delivery<Body>[]) => {
  for (const { response } of sent) if (response.status !== 200) expectUnavailable(response);
  return sent.filter(({ response }) => response.status === 200);
};

/**
 * Kills the engine `kills` times, while changes and batches arrive. The next run has all acknowledged data and no part of
 * a batch.
 */
export const killEngineWhileWriting = async (kills: number) => {
  const data = temporaryFolder();
  const changes: Delivery<{ Timestamp: string }>[] = [];
  const snapshots: Delivery<ReturnType<typeof newBatch>>[] = [];
  const sendersTo = (run: LocalRun) => [
    async () => {
      const body = { Timestamp: newTimestamp() };
      changes.push({ body, response: await run.post('changes', body) });
    },
    ...SIZES.map((count) => async () => {
      const body = newBatch(count);
      snapshots.push({ body, response: await run.post('material-stock-balance', body) });
    }),
  ];
  const countKept = () => findAcknowledged(changes).length + findAcknowledged(snapshots).length;

  for (let kill = 0; kill < kills; kill += 1) {
    const run = await startLocal({ data, isOnDisk: true });
    let isGoingOn = true;
    const sending = sendersTo(run).map(async (send) => {
      while (isGoingOn) await send();
    });
    const before = countKept();
    await eventually(() => countKept() > before + 5);
    // Each kill is at another moment of the write.
    await sleep(30 * kill);
    killEngine(run);
    isGoingOn = false;
    await Promise.all(sending);
    await run.stop();
  }

  const run = await startLocal({ data, isOnDisk: true });
  const tables = new TableReader(run.outputs());
  for (const { body, response } of findAcknowledged(changes)) expect(response.json()).toEqual(body);
  expect(await tables.changes()).toEqual(
    expect.arrayContaining(findAcknowledged(changes).map(({ body }) => ({ Client: CLIENT, ...body }))),
  );
  for (const { body, response } of findAcknowledged(snapshots)) {
    expect(await tables.batch(CLIENT, response.json().SnapshotId)).toEqual(storedBatch(body));
  }
  await expectNoHalfBatch(tables, SIZES);
};
