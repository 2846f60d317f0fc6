import { afterAll, test } from 'vitest';
import { startFaultyEngine } from '../../../support/tables.ts';
import { compareHistories } from './compare-histories.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

/** On a busy machine, it takes some minutes. */
const LONGEST_MS = 1_800_000;

test(
  'of 300 longer sequences of writes, the history says what is in the lists, and nothing is lost',
  () => compareHistories(engine, 300, 20),
  LONGEST_MS,
);
