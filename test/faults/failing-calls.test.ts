import { beforeAll, describe, expect, test } from 'vitest';
import { disturb, disturbedCalls, type LocalRun, startLocal } from '../support/local-run.ts';
import { disturbanceOf, expectUnavailable, type Fault, faultsWith, IN_TURN } from './faulty-run.ts';
import { type Operation, operationsOf, places, roundsOf } from './operations.ts';

/** The store waits four seconds for a table. */
const faults = faultsWith(5_500);

/** Operations whose calls can be disturbed at the same time, and a run of their own. */
type Round = { run: LocalRun; operations: Operation[] };

const start = async (after: number) => {
  const run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
  return { run, operations: (await operationsOf(run)).filter(({ calls }) => calls > after) };
};

const startOtherRounds = (after: number, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Round> => {
      const { run, operations } = await start(after);
      return { run, operations: roundsOf(operations)[index + 1] ?? [] };
    }),
  );

/** One run for each place in the order of a request's calls, so that they wait at the same time. */
describe.concurrent.each(places)('the calls after the first %i of a request', (after) => {
  let run: LocalRun;
  let operations: Operation[];
  let rounds: Round[];
  beforeAll(async () => {
    ({ run, operations } = await start(after));
    expect(operations.length).toBeGreaterThan(0);
    const [first = [], ...others] = roundsOf(operations);
    // Where every call fails, no call has to be told from another.
    rounds = [{ run, operations: after === 0 ? operations : first }];
    if (after > 0) rounds.push(...(await startOtherRounds(after, others.length)));
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
    'are answered well where one call is %s, because it is retried',
    IN_TURN,
    async (_, fault) => {
      for (const round of roundsOf(operations)) await expectRetried(fault, round);
    },
  );

  test('are as many as the operation says', IN_TURN, async () => {
    for (const { request, action, calls } of operations) {
      await disturb(run, { dynamodb: [{ action, kind: 'error', after: calls }] });
      const { send, expectDone } = request();
      await expectDone(await send());
      expect(await disturbedCalls(run)).toEqual([0]);
    }
  });

  const sendInVain = async (fault: Fault, { run, operations }: Round) => {
    const actions = [...new Set(operations.map(({ action }) => action))];
    await disturb(run, { dynamodb: actions.map((action) => disturbanceOf(fault, action, after)) });
    const requests = operations.map(({ request, calls }) => ({ ...request(), isLast: calls === after + 1 }));
    const answers = await Promise.all(requests.map(({ send }) => send()));
    for (const answer of answers) expectUnavailable(answer);
    for (const count of await disturbedCalls(run)) expect(count).toBeGreaterThan(0);
    for (const { expectRefused, isLast } of requests) await expectRefused(fault.isExecuted && isLast);

    await disturb(run, {});
    await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
  };

  test.each(faults)(
    'come to a 503 where all are %s: no half is visible, and a second request is kept',
    IN_TURN,
    async (_, fault) => {
      await Promise.all(rounds.map((round) => sendInVain(fault, round)));
    },
  );
});
