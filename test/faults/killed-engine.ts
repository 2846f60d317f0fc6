import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { eventually, killEngine, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalf, expectOk, expectUnavailable } from './faulty-run.ts';

/** Leaves processor time to other tests. Each sender still waits for an answer most of the time. */
const PAUSE_MS = 60;

type Delivery<Body> = { body: Body; answer: Answer };

/** One batch with a single part, and one with several parts. No two batches are equal. */
const SIZES = [50, 1_100];
let batches = 0;
const newBatch = (count: number) => {
  batches += 1;
  return batchOf(count, `-${batches}-${'鋼'.repeat(count === 50 ? 1 : 230)}`);
};

/** The deliveries with a 200. All others get a 503. */
const acknowledged = <Body>(sent: Delivery<Body>[]) => {
  for (const { answer } of sent) if (answer.status !== 200) expectUnavailable(answer);
  return sent.filter(({ answer }) => answer.status === 200);
};

/** Kills the engine while changes and batches arrive, and expects all acknowledged data and no part of a batch. */
export const killEngineWhileWriting = async (kills: number) => {
  const run = await startLocal({ isOnDisk: true });
  const tables = new TableReader(run.outputs());
  const changes: Delivery<{ Timestamp: string }>[] = [];
  const snapshots: Delivery<ReturnType<typeof newBatch>>[] = [];
  const sendChange = async () => {
    const body = { Timestamp: newTimestamp() };
    changes.push({ body, answer: await run.post('changes', body) });
  };
  const sendBatch = async (count: number) => {
    const body = newBatch(count);
    snapshots.push({ body, answer: await run.post('material-stock-balance', body) });
  };
  const senders = [sendChange, sendChange, ...SIZES.map((count) => () => sendBatch(count))];
  const sendAll = async () => {
    const before = [changes.length, snapshots.length];
    await Promise.all(senders.map((send) => send()));
    for (const { answer } of [...changes.slice(before[0]), ...snapshots.slice(before[1])]) expectOk(answer);
  };

  await sendAll();
  const before = await tables.snapshotIds(CLIENT);
  let isGoingOn = true;
  const sending = senders.map(async (send) => {
    while (isGoingOn) {
      await send();
      await sleep(PAUSE_MS);
    }
  });
  const countKept = () => acknowledged(changes).length + acknowledged(snapshots).length;
  for (let kill = 0; kill < kills; kill += 1) {
    const kept = countKept();
    await eventually(() => countKept() > kept + senders.length);
    // Each kill is at another moment of the write.
    await sleep(30 * kill);
    killEngine(run);
    const atKill = countKept();
    await eventually(() => countKept() > atKill + senders.length);
  }
  isGoingOn = false;
  await Promise.all(sending);

  for (const { body, answer } of acknowledged(changes)) expect(answer.json()).toEqual(body);
  expect(await tables.changes()).toEqual(
    expect.arrayContaining(acknowledged(changes).map(({ body }) => ({ Client: CLIENT, ...body }))),
  );
  for (const { body, answer } of acknowledged(snapshots)) {
    expect(await tables.batch(CLIENT, answer.json().SnapshotId)).toEqual(storedBatch(body));
  }
  expect(await tables.snapshotIds(CLIENT)).toEqual(expect.arrayContaining(before));
  await expectNoHalf(tables, SIZES);
  await sendAll();
};
