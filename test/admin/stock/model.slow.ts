import { test } from 'vitest';
import { compareWorlds } from './compare-with-model.ts';
import { madeWorldWithParts } from './worlds.ts';

/** On a busy machine, a world takes ten times as long. */
const LONGEST_MS = 1_500_000;

test(
  'the console and the commands say of 40 worlds of batches what the model says',
  () => compareWorlds(40, LONGEST_MS),
  LONGEST_MS,
);

test(
  'they say it of 3 worlds with a batch in parts, too',
  () => compareWorlds(3, LONGEST_MS, madeWorldWithParts),
  LONGEST_MS,
);
