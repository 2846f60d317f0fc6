import { afterAll, test } from 'vitest';
import { startFaultyEngine } from '../../../support/tables.ts';
import { compareHistories } from './compare-histories.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

/** On a busy machine, it takes half an hour. */
const LONGEST_MS = 3_600_000;

test(
  'of 3,000 longer sequences of writes, the history says what is in the lists, and nothing is lost',
  () => compareHistories(engine, 3_000, 20),
  LONGEST_MS,
);
