import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { engineOf, eventually, killEngine, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { CLIENT, expectNoHalf, expectOk, expectUnavailable, post } from './faulty-run.ts';

const KILLS = 3;
/** Leaves processor time to other tests. Each sender still waits for an answer most of the time. */
const PAUSE_MS = 60;

type Delivery<Body> = { body: Body; answer: Answer };

/** One batch with a single part, and one with several parts. No two batches are equal. */
const SIZES = [50, 1_100];
const batchNumber = (count: number, number: number) =>
  batchOf(count, `-${number}-${'鋼'.repeat(count === 50 ? 1 : 230)}`);

const sendWhile = async <Body extends object>(
  isGoingOn: () => boolean,
  send: (number: number) => Promise<Delivery<Body>>,
) => {
  const sent: Delivery<Body>[] = [];
  for (let number = 0; isGoingOn(); number += 1) {
    sent.push(await send(number));
    await sleep(PAUSE_MS);
  }
  return sent;
};

/** The deliveries with a 200. All others get a 503. */
const acknowledged = <Body>(sent: Delivery<Body>[]) => {
  for (const { answer } of sent) (answer.status === 200 ? expectOk : expectUnavailable)(answer);
  const kept = sent.filter(({ answer }) => answer.status === 200);
  expect(kept.length).toBeGreaterThan(KILLS);
  return kept;
};

const isAnswering = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

test('an engine that is killed repeatedly loses no acknowledged data and shows no part of a batch', async () => {
  const run = await startLocal({ isOnDisk: true });
  const tables = new TableReader(run.outputs());
  const sendChange = async () => {
    const body = { Timestamp: newTimestamp() };
    return { body, answer: await post(run, 'changes', body) };
  };
  const sendBatch = (count: number) => async (number: number) => {
    const body = batchNumber(count, number);
    return { body, answer: await post(run, 'material-stock-balance', body) };
  };
  const sendEach = (number: number) =>
    Promise.all([sendChange(), ...SIZES.map((count) => sendBatch(count)(number))]);
  for (const { answer } of await sendEach(-1)) expectOk(answer);
  const before = await tables.snapshotIds(CLIENT);

  let isGoingOn = true;
  const changes = Promise.all([1, 2, 3].map(() => sendWhile(() => isGoingOn, sendChange)));
  const batches = Promise.all(SIZES.map((count) => sendWhile(() => isGoingOn, sendBatch(count))));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const killed = killEngine(run);
    await eventually(() => ![undefined, killed].includes(engineOf(run)?.pid));
    await eventually(() => isAnswering(run.outputs().DynamoDbEndpoint));
    // Each kill is at another moment of the write.
    await sleep(700 + 130 * kill);
  }
  isGoingOn = false;

  const keptChanges = acknowledged((await changes).flat());
  for (const { body, answer } of keptChanges) expect(answer.json()).toEqual(body);
  expect(await tables.changes()).toEqual(
    expect.arrayContaining(keptChanges.map(({ body }) => ({ Client: CLIENT, ...body }))),
  );
  for (const { body, answer } of acknowledged((await batches).flat())) {
    expect(await tables.batch(CLIENT, answer.json().SnapshotId)).toEqual(storedBatch(body));
  }
  expect(await tables.snapshotIds(CLIENT)).toEqual(expect.arrayContaining(before));
  await expectNoHalf(tables, SIZES);

  for (const { answer } of await sendEach(-2)) expectOk(answer);
});
