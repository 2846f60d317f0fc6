import { test } from 'vitest';
import { compareWorlds } from './compare-with-model.ts';

const MANY_MS = 900_000;

test(
  'the console and the commands say of 150 worlds of batches what the model says',
  () => compareWorlds(150, MANY_MS),
  MANY_MS,
);
