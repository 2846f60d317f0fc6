import { describe } from 'vitest';
import { type Case, testFailingCalls } from './failing-calls.ts';

/* A throttled batch waits until its time is up, and the functions wait four seconds for an answer. */
const places: Case[][] = [
  [['throttled', 0]],
  [['answered too late', 0]],
  [['answered too late', 1]],
  [['answered too late', 2]],
  [
    ['throttled', 3],
    ['answered too late', 3],
  ],
];

/** Each has its own local run, so that the timeouts run at the same time. */
describe.concurrent.each(places.map((cases) => [cases]))('%j', (cases) => testFailingCalls(cases));
