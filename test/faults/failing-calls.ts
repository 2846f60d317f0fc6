import { beforeAll, describe, expect, test } from 'vitest';
import { faultyCalls, functionProcesses, injectFaults, type LocalRun } from '../support/local-run.ts';
import { expectUnavailable, type FaultKind, faultOf, faults } from './faulty-run.ts';
import { type LargeBatch, type Operation, operationsOf } from './operations.ts';

/** A run has only one set of faults at a time. */
const IN_TURN = { concurrent: false };

/** A fault in the calls of a request, and how many calls pass before the fault. */
export type Case = readonly [kind: FaultKind, after: number];

/** Tests each case with every operation that makes enough calls. */
export const testFailingCalls = (
  cases: readonly Case[],
  start: () => Promise<LocalRun>,
  batch: LargeBatch,
) => {
  let run: LocalRun;
  let operations: Operation[];
  beforeAll(async () => {
    run = await start();
    operations = await operationsOf(run, batch);
  });

  describe.each(cases)('a call with the fault "%s" after call %i', IN_TURN, (kind, after) => {
    const fault = faults[kind];
    // The SDK of a process stops its retries for a while after many of them.
    beforeAll(() => {
      for (const pid of functionProcesses(run, '')) process.kill(pid, 'SIGKILL');
    });
    const affected = () => {
      const affectedOperations = operations.filter(({ calls }) => calls > after);
      expect(affectedOperations.length).toBeGreaterThan(0);
      return affectedOperations;
    };

    test('is retried once if it fails once, and the request succeeds', IN_TURN, async () => {
      for (const { request, action, calls } of affected()) {
        // The second fault would hit a call beyond those of the operation and one retry.
        const once = { ...faultOf(fault, action, after), times: 1 };
        await injectFaults(run, { dynamodb: [once, { action, kind: 'error', after: calls }] });
        const { send, expectDone } = request();
        await expectDone(await send());
        expect(await faultyCalls(run)).toEqual([1, 0]);
      }
    });

    test(
      'causes a 503 if it fails always, no part is visible, and a second request is stored',
      IN_TURN,
      async () => {
        const chosen = affected();
        const actions = [...new Set(chosen.map(({ action }) => action))];
        await injectFaults(run, { dynamodb: actions.map((action) => faultOf(fault, action, after)) });
        const requests = chosen.map(({ request, calls }) => ({ ...request(), isLast: calls === after + 1 }));
        const responses = await Promise.all(requests.map(({ send }) => send()));
        for (const response of responses) expectUnavailable(response);
        for (const count of await faultyCalls(run)) expect(count).toBeGreaterThan(0);
        for (const { expectRefused, isLast } of requests) await expectRefused(fault.isExecuted && isLast);

        await injectFaults(run, {});
        await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
      },
    );
  });
};
