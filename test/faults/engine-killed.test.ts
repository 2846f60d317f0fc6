import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import { engineOf, eventually, killEngine, type LocalRun, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { type Answer, CLIENT, expectNoHalf, expectOk, expectUnavailable, post } from './faulty-run.ts';

const KILLS = 4;
/** Leaves the processor to the others; something of each sender is under way at every moment all the same. */
const PAUSE_MS = 30;

type Sender<Body> = { path: string; bodyOf: (number: number) => Body };
type Delivery<Body> = { body: Body; answer: Answer };

/** Numbers that no sender comes to while engines are killed. */
const BEFORE = 999_998;
const AFTERWARDS = 999_999;

const changes = [1, 2, 3].map(() => ({
  path: 'changes',
  bodyOf: (_number: number) => ({ Timestamp: newTimestamp() }),
}));
/** Some of one part and some of several; no two alike. */
const SIZES = [50, 1_100];
const batches = SIZES.map((count) => ({
  path: 'material-stock-balance',
  bodyOf: (number: number) => batchOf(count, `-${number}-${'鋼'.repeat(count === 50 ? 1 : 230)}`),
}));

const sendOnce = async (run: LocalRun, number: number) => {
  for (const { path, bodyOf } of [...changes, ...batches]) expectOk(await post(run, path, bodyOf(number)));
};

const sendUntil = async <Body extends object>(
  run: LocalRun,
  senders: Sender<Body>[],
  isOver: () => boolean,
): Promise<Delivery<Body>[]> => {
  const deliveries = senders.map(async ({ path, bodyOf }) => {
    const sent: Delivery<Body>[] = [];
    for (let number = 0; !isOver(); number += 1) {
      const body = bodyOf(number);
      sent.push({ body, answer: await post(run, path, body) });
      await sleep(PAUSE_MS);
    }
    return sent;
  });
  return (await Promise.all(deliveries)).flat();
};

const untilRestarted = (run: LocalRun, killed: number) =>
  eventually(() => ![undefined, killed].includes(engineOf(run)));

const killOverAndOver = async (run: LocalRun) => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await untilRestarted(run, killEngine(run));
    // Each time at another moment of what is being written.
    await sleep(700 + 130 * kill);
  }
};

/** Those that were acknowledged, of which there have to be some; all others are a 503. */
const acknowledged = <Body>(sent: Delivery<Body>[]) => {
  for (const { answer } of sent) (answer.status === 200 ? expectOk : expectUnavailable)(answer);
  const kept = sent.filter(({ answer }) => answer.status === 200);
  expect(kept.length).toBeGreaterThan(KILLS);
  return kept;
};

test('an engine that is killed over and over loses nothing that was acknowledged, and shows no half', async () => {
  const run = await startLocal({ args: ['--quiet', '--no-throttle'] });
  const tables = new TableReader(run.outputs());
  await sendOnce(run, BEFORE);
  const before = await tables.snapshotIds(CLIENT);

  let isOver = false;
  const sending = Promise.all([sendUntil(run, changes, () => isOver), sendUntil(run, batches, () => isOver)]);
  await killOverAndOver(run);
  isOver = true;
  const [sentChanges, sentBatches] = await sending;

  const keptChanges = acknowledged(sentChanges);
  const keptBatches = acknowledged(sentBatches);
  for (const { body, answer } of keptChanges) expect(answer.json()).toEqual(body);
  expect(await tables.changes()).toEqual(
    expect.arrayContaining(keptChanges.map(({ body }) => ({ Client: CLIENT, ...body }))),
  );
  for (const { body, answer } of keptBatches) {
    expect(await tables.batch(CLIENT, answer.json().SnapshotId)).toEqual(storedBatch(body));
  }
  expect(await tables.snapshotIds(CLIENT)).toEqual(expect.arrayContaining(before));
  await expectNoHalf(tables, SIZES);

  await sendOnce(run, AFTERWARDS);
});
