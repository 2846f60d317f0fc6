import { afterAll, test } from 'vitest';
import { startFaultyEngine } from '../../../support/tables.ts';
import { compareHistories } from './compare-histories.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

test(
  'of any writes, also ones that end early or go past the tools, the history says what is in the lists, and nothing is lost',
  () => compareHistories(engine, 100, 6),
  120_000,
);
