import { test } from 'vitest';
import { killEngineWhileWriting } from './killed-engine.ts';

test('an engine that is killed repeatedly loses no acknowledged data and shows no part of a batch', () =>
  killEngineWhileWriting(5));
