import { beforeAll, describe, expect, test } from 'vitest';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { disturb, expectUnavailable, struck } from './faulty-run.ts';
import { disturbanceOf, faults, IN_TURN, type Operation, operationsOf, places } from './operations.ts';

/**
 * One run for each place in the order of a request's calls: they wait side by side, and in a process that has seen
 * too many failures the SDK stops retrying for a while.
 */
describe.concurrent.each(places)('the calls after the first %i of a request', (after) => {
  let run: LocalRun;
  let operations: Operation[];
  beforeAll(async () => {
    run = await startLocal({ args: ['--quiet', '--no-throttle'] });
    operations = (await operationsOf(run)).filter(({ calls }) => calls > after);
  });

  test.each(Object.entries(faults))(
    'come to a 503 where all are %s; no half is to be seen, and sent again it is kept',
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
      for (const count of await struck(run)) expect(count).toBeGreaterThan(0);
      for (const { expectRefused, isLast } of requests) await expectRefused(fault.isTaken && isLast);

      await disturb(run, {});
      await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
    },
  );
});
