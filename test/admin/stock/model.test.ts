import { test } from 'vitest';
import { compareWorlds } from './compare-with-model.ts';

test('the console and the commands say of any batches what the model says', () => compareWorlds(4, 90_000));
