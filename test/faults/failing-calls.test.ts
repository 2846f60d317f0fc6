import { testFailingCalls } from './failing-calls.ts';

/*
 * One fault of every operation, and the last call of a batch, which is executed. shared/storage/faults.test.ts has the
 * others, in process.
 */
testFailingCalls([
  ['answered with a 5xx', 0],
  ['executed with a lost answer', 3],
]);
