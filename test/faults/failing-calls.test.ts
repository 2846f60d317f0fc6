import { beforeAll, describe, expect, test } from 'vitest';
import { disturb, disturbedCalls, type LocalRun, startLocal } from '../support/local-run.ts';
import { disturbanceOf, expectUnavailable, type Fault, faultsWith, IN_TURN } from './faulty-run.ts';
import { type Operation, operationsOf, roundsOf } from './operations.ts';

/** The functions wait four seconds for a table. */
const allFaults = faultsWith(5_500);

/** How many calls pass before the failing one, and the faults there. Later calls run the same code as the first. */
const places: [after: number, faults: RegExp][] = [
  // A throttled batch waits until its time is up.
  [0, /throttled/],
  [0, /5xx|cut|lost|late/],
  [1, /5xx|lost/],
  [2, /cut|late/],
  // The last call of a batch. If it was executed, the batch is stored.
  [3, /throttled|lost|late/],
  [4, /throttled|cut/],
];

/** Each place has its own local run, so that the timeouts run at the same time. */
describe.concurrent.each(places)('the calls of a request after call %i', (after, chosen) => {
  const faults = allFaults.filter(([name]) => chosen.test(name));
  let run: LocalRun;
  let operations: Operation[];
  beforeAll(async () => {
    run = await startLocal();
    operations = (await operationsOf(run)).filter(({ calls }) => calls > after);
    expect(operations.length).toBeGreaterThan(0);
    // A later failing call cannot be assigned to one of two operations with the same action.
    if (after > 0) expect(roundsOf(operations)).toHaveLength(1);
  });

  const expectRetried = async (fault: Fault, round: Operation[]) => {
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

  test.each(faults)(
    'are retried if one of them is %s, and the request succeeds',
    IN_TURN,
    async (_, fault) => {
      for (const round of roundsOf(operations)) await expectRetried(fault, round);
    },
  );

  if (after === 0 && !chosen.test('throttled')) {
    test('are no more than operations.ts declares', IN_TURN, async () => {
      for (const { request, action, calls } of operations) {
        await disturb(run, { dynamodb: [{ action, kind: 'error', after: calls }] });
        const { send, expectDone } = request();
        await expectDone(await send());
        expect(await disturbedCalls(run)).toEqual([0]);
      }
    });
  }

  test.each(faults)(
    'cause a 503 if all are %s, no part is visible, and a second request is stored',
    IN_TURN,
    async (_, fault) => {
      const actions = [...new Set(operations.map(({ action }) => action))];
      await disturb(run, { dynamodb: actions.map((action) => disturbanceOf(fault, action, after)) });
      const requests = operations.map(({ request, calls }) => ({
        ...request(),
        isLast: calls === after + 1,
      }));
      const answers = await Promise.all(requests.map(({ send }) => send()));
      for (const answer of answers) expectUnavailable(answer);
      for (const count of await disturbedCalls(run)) expect(count).toBeGreaterThan(0);
      for (const { expectRefused, isLast } of requests) await expectRefused(fault.isExecuted && isLast);

      await disturb(run, {});
      await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
    },
  );
});
