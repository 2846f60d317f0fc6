import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from './vitest.config.ts';

/** The first failure ends a mutant's run, so the tests that take long come last. */
const SLOW_LAST = ['test/shared/', 'test/functions/', 'test/shared/store/'];

const placeOf = ({ moduleId }: TestSpecification) =>
  SLOW_LAST.findLastIndex((folder) => moduleId.includes(folder));

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** For mutation testing: the tests of what runs in Lambda, in one process and without a synthesis. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/{functions,shared}/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    reporters: ['default'],
    sequence: { sequencer: QuickFirst },
  },
});
