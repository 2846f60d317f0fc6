import { beforeAll, describe, expect, test } from 'vitest';
import { disturb, disturbedCalls, type LocalRun, startLocal } from '../support/local-run.ts';
import { disturbanceOf, type Fault, faults, IN_TURN } from './faults.ts';
import { expectOk } from './faulty-run.ts';
import { type Operation, operationsOf, places, roundsOf } from './operations.ts';

/** One run for each place in the order of a request's calls, so that they wait side by side. */
describe.concurrent.each(places)('the call after the first %i of a request', (after) => {
  let run: LocalRun;
  let operations: Operation[];
  beforeAll(async () => {
    run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
    operations = (await operationsOf(run)).filter(({ calls }) => calls > after);
  });

  const sendThrough = async (fault: Fault, round: Operation[]) => {
    const dynamodb = round.map(({ action }) => ({ ...disturbanceOf(fault, action, after), times: 1 }));
    await disturb(run, { dynamodb });
    await Promise.all(
      round.map(async ({ request }) => {
        const { send, expectDone } = request();
        await expectDone(await send());
      }),
    );
    expect(await disturbedCalls(run)).toEqual(round.map(() => 1));
  };

  test.each(Object.entries(faults))(
    'is made again where it is %s, and everything is answered well',
    IN_TURN,
    async (_, fault) => {
      for (const round of roundsOf(operations)) await sendThrough(fault, round);
    },
  );

  test('is one of so many and no more', IN_TURN, async () => {
    for (const { request, action, calls } of operations) {
      await disturb(run, { dynamodb: [{ action, kind: 'error', after: calls }] });
      expectOk(await request().send());
      expect(await disturbedCalls(run)).toEqual([0]);
    }
    expect(operations.length).toBeGreaterThan(0);
  });
});
