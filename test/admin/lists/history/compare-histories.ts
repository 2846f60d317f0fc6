import fc from 'fast-check';
import { listNames } from '../../../../shared/tables.ts';
import { DAY_MS, MINUTE_MS } from '../../../../shared/time.ts';

import type { Engine } from './history-deployment.ts';
import { createWorld } from './history-world.ts';
import { CODES, type Step } from './made-plans.ts';

const LONG_MINUTES = (20 * DAY_MS) / MINUTE_MS;

const step: fc.Arbitrary<Step> = fc.record(
  {
    act: fc.constantFrom<Step['act'][]>(
      ...(['import', 'import', 'replace', 'edit', 'edit', 'rename', 'rename', 'remove'] as const),
      ...(['restore', 'undo', 'undo', 'undo', 'undo', 'together', 'outside', 'outside'] as const),
    ),
    list: fc.constantFrom('MaterialCodes', ...listNames),
    codes: fc.subarray([...CODES], { minLength: 1 }),
    attribute: fc.constantFrom('X', 'X', 'we"ird.x'),
    value: fc.integer({ min: 1, max: 3 }),
    pick: fc.constantFrom(0, 0, 1, 1, 2, 3),
    minutes: fc.constantFrom(0, 0, 1, 14, 16, 16, LONG_MINUTES),
    fault: fc.option(
      fc.record({
        at: fc.integer({ min: 1, max: 16 }),
        kind: fc.constantFrom('kill', 'deny', 'loseResponse'),
      }),
      { nil: undefined, freq: 2 },
    ),
    loads: fc.constantFrom(true, ...Array<false>(4).fill(false)),
  },
  { noNullPrototype: true },
);

/** Runs made sequences of writes, and compares the lists and their history with a model after each. */
export const compareHistories = (engine: Engine, numRuns: number, maxLength: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength }), async (steps) => {
      const world = await createWorld(engine);
      for (const made of steps) await world.run(made);
      await world.finish();
    }),
    { numRuns },
  );
