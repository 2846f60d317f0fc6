import { beforeAll, describe, expect, test } from 'vitest';
import { disturb, disturbedCalls, type LocalRun, startLocal } from '../support/local-run.ts';
import { disturbanceOf, type Fault, faults, IN_TURN } from './faults.ts';
import { expectUnavailable } from './faulty-run.ts';
import { type Operation, operationsOf, places, roundsOf } from './operations.ts';

type Round = { run: LocalRun; operations: Operation[] };

/**
 * Runs of their own for each place in the order of a request's calls, one for each round: they wait side by side, and
 * in a process that has seen too many failures the SDK stops retrying for a while.
 */
describe.concurrent.each(places)('the calls after the first %i of a request', (after) => {
  let rounds: Round[];
  beforeAll(async () => {
    rounds = await startRounds(after);
    for (const { operations } of rounds) expect(operations.length).toBeGreaterThan(0);
  });

  const sendInVain = async (fault: Fault, { run, operations }: Round) => {
    const actions = [...new Set(operations.map(({ action }) => action))];
    await disturb(run, { dynamodb: actions.map((action) => disturbanceOf(fault, action, after)) });
    const requests = operations.map(({ request, calls }) => ({
      ...request(),
      isLast: calls === after + 1,
    }));
    const answers = await Promise.all(requests.map(({ send }) => send()));
    for (const answer of answers) expectUnavailable(answer);
    for (const count of await disturbedCalls(run)) expect(count).toBeGreaterThan(0);
    for (const { expectRefused, isLast } of requests) await expectRefused(fault.isTaken && isLast);

    await disturb(run, {});
    await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
  };

  test.each(Object.entries(faults))(
    'come to a 503 where all are %s; no half is to be seen, and sent again it is kept',
    IN_TURN,
    async (_, fault) => {
      await Promise.all(rounds.map((round) => sendInVain(fault, round)));
    },
  );
});

const start = async (after: number) => {
  const run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
  const operations = (await operationsOf(run)).filter(({ calls }) => calls > after);
  // Where every call is disturbed, no count matters.
  return { run, rounds: after === 0 ? [operations] : roundsOf(operations) };
};

const startRounds = async (after: number): Promise<Round[]> => {
  const { run, rounds } = await start(after);
  const [operations = [], ...others] = rounds;
  const startOther = async (place: number) => {
    const other = await start(after);
    return { run: other.run, operations: other.rounds[place] ?? [] };
  };
  return [{ run, operations }, ...(await Promise.all(others.map((_, index) => startOther(index + 1))))];
};
