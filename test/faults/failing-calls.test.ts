import { testFailingCalls } from './failing-calls.ts';

/* Faults that the functions notice at once. The last call of a batch is the one after call 3. */
testFailingCalls([
  ['answered with a 5xx', 0],
  ['disconnected before it runs', 2],
  ['executed with a lost answer', 3],
]);
