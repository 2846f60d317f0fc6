import { testFailingCalls } from './failing-calls.ts';

/*
 * An error of the first call of every operation, and a lost response of the last call of a batch.
 * test/shared/storage/faults.test.ts has the other faults, in the process of the test.
 */
testFailingCalls([
  ['5xx', 0],
  ['executed, but its response is lost', 3],
]);
