import { describe } from 'vitest';
import { fourParts } from '../support/batches.ts';
import { startLocal } from '../support/local-run.ts';
import { type Case, testFailingCalls } from './failing-calls.ts';

/* These cases are slow: a throttled batch waits until its time is up, or a function waits 4 s for a response. */
const cases: Case[] = [
  ['disconnected before it runs', 0],
  ['executed, but its response is lost', 0],
  ['5xx', 1],
  ['disconnected before it runs', 2],
  ['throttled', 0],
  ['throttled', 3],
  ['late response', 0],
  ['late response', 3],
];

const batch = { body: fourParts(), parts: 4 };

/** Each case has its own local run, so that the timeouts run at the same time. */
describe.concurrent.each(cases)('%s after call %i', (...testCase) =>
  testFailingCalls([testCase], startLocal, batch),
);
