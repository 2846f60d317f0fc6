import { beforeAll, describe, expect, test } from 'vitest';
import {
  disturb,
  disturbedCalls,
  functionProcesses,
  type LocalRun,
  startLocal,
} from '../support/local-run.ts';
import { disturbanceOf, expectUnavailable, type FaultKind, faults } from './faulty-run.ts';
import { type Operation, operationsOf } from './operations.ts';

/** A run has only one set of disturbances at a time. */
const IN_TURN = { concurrent: false };

/** A fault of the calls of a request, and how many calls pass before. */
export type Case = readonly [kind: FaultKind, after: number];

/** Tests each case with every operation that makes enough calls. */
export const testFailingCalls = (cases: readonly Case[]) => {
  let run: LocalRun;
  let operations: Operation[];
  beforeAll(async () => {
    run = await startLocal();
    operations = await operationsOf(run);
  });

  describe.each(cases)('a call with the fault "%s" after call %i', IN_TURN, (kind, after) => {
    const fault = faults[kind];
    // The SDK of a process stops its retries for a while after many of them.
    beforeAll(() => {
      for (const pid of functionProcesses(run, '')) process.kill(pid, 'SIGKILL');
    });
    const affected = () => {
      const found = operations.filter(({ calls }) => calls > after);
      expect(found.length).toBeGreaterThan(0);
      return found;
    };

    test('is retried if it fails once, and the request succeeds', IN_TURN, async () => {
      for (const { request, action } of affected()) {
        await disturb(run, { dynamodb: [{ ...disturbanceOf(fault, action, after), times: 1 }] });
        const { send, expectDone } = request();
        await expectDone(await send());
        expect(await disturbedCalls(run)).toEqual([1]);
      }
    });

    test(
      'causes a 503 if it fails always, no part is visible, and a second request is stored',
      IN_TURN,
      async () => {
        const chosen = affected();
        const actions = [...new Set(chosen.map(({ action }) => action))];
        await disturb(run, { dynamodb: actions.map((action) => disturbanceOf(fault, action, after)) });
        const requests = chosen.map(({ request, calls }) => ({ ...request(), isLast: calls === after + 1 }));
        const answers = await Promise.all(requests.map(({ send }) => send()));
        for (const answer of answers) expectUnavailable(answer);
        for (const count of await disturbedCalls(run)) expect(count).toBeGreaterThan(0);
        for (const { expectRefused, isLast } of requests) await expectRefused(fault.isExecuted && isLast);

        await disturb(run, {});
        await Promise.all(requests.map(async ({ send, expectDone }) => expectDone(await send())));
      },
    );
  });

  test('a request makes no more calls than `calls` allows', IN_TURN, async () => {
    for (const { request, action, calls } of operations) {
      await disturb(run, { dynamodb: [{ action, kind: 'error', after: calls }] });
      const { send, expectDone } = request();
      await expectDone(await send());
      expect(await disturbedCalls(run)).toEqual([0]);
    }
  });
};
