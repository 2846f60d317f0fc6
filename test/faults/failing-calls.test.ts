import { testFailingCalls } from './failing-calls.ts';

/*
 * One fault of every operation, and the last call of a batch, which is executed. shared/storage/faults.test.ts has the
 * others, in process.
 */
testFailingCalls([
  ['5xx', 0],
  ['executed, but its response is lost', 3],
]);
