import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asStored, batchOf } from '../support/batches.ts';
import { engineOf, eventually, killEngine, type LocalRun, startLocal } from '../support/local-run.ts';
import { type Answer, byCode, expectOk, expectUnavailable, post, readersOf } from './faulty-run.ts';

const KILLS = 4;

type Sender = { path: string; bodyOf: (number: number) => object };
type Sent = { body: object; answer: Answer };

const timestampOf = (sender: number, number: number) =>
  new Date(Date.UTC(2026, 2, sender, 0, 0, 0, number)).toISOString().replace('.', ',');

const changes = [1, 2, 3].map(
  (sender): Sender => ({
    path: 'changes',
    bodyOf: (number) => ({ Timestamp: timestampOf(sender, number) }),
  }),
);
/** Some of one part and some of several; no two alike. */
const batches = [50, 1_100].map(
  (count): Sender => ({
    path: 'material-stock-balance',
    bodyOf: (number) => batchOf(count, `-${number}-${'鋼'.repeat(count === 50 ? 1 : 230)}`),
  }),
);

const sendUntil = async (run: LocalRun, { path, bodyOf }: Sender, isOver: () => boolean) => {
  const sent: Sent[] = [];
  for (let number = 0; !isOver(); number += 1) {
    const body = bodyOf(number);
    sent.push({ body, answer: await post(run, path, body) });
  }
  return sent;
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

const expectTruthful = ({ answer }: Sent) => {
  if (answer.status === 200) expectOk(answer);
  else expectUnavailable(answer);
};

const acknowledged = (sent: Sent[]) => sent.filter(({ answer }) => answer.status === 200);

const asReadBack = (body: object) => {
  const { MaterialCodes }: ReturnType<typeof batchOf> = Object(body);
  return MaterialCodes.map(asStored).toSorted(byCode);
};

test('an engine that is killed over and over loses nothing that was acknowledged, and shows no half', async () => {
  const run = await startLocal({ args: ['--quiet', '--no-throttle'] });
  const read = readersOf(run);
  for (const { path, bodyOf } of [...changes, ...batches]) expectOk(await post(run, path, bodyOf(999_999)));
  const before = await read.snapshotIds();

  let isOver = false;
  const sending = [changes, batches].map((senders) =>
    Promise.all(senders.map((sender) => sendUntil(run, sender, () => isOver))),
  );
  await killOverAndOver(run);
  isOver = true;
  const [sentChanges = [], sentBatches = []] = (await Promise.all(sending)).map((sent) => sent.flat());

  for (const sent of [...sentChanges, ...sentBatches]) expectTruthful(sent);
  const keptChanges = acknowledged(sentChanges);
  const keptBatches = acknowledged(sentBatches);
  expect(Math.min(keptChanges.length, keptBatches.length)).toBeGreaterThan(KILLS);

  expect(await read.changes()).toEqual(
    expect.arrayContaining(keptChanges.map(({ answer }) => answer.json().Timestamp)),
  );
  for (const { body, answer } of keptBatches) {
    expect(await read.entries(answer.json().SnapshotId)).toEqual(asReadBack(body));
  }
  // Of what was refused, too, a reader finds either nothing or all: one that is not whole cannot be read.
  const ids = await read.snapshotIds();
  expect(ids).toEqual(expect.arrayContaining(before));
  for (const id of ids) expect([50, 1_100]).toContain((await read.entries(id))?.length);

  for (const { path, bodyOf } of [...changes, ...batches]) expectOk(await post(run, path, bodyOf(1_000_000)));
});
