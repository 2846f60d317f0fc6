import { defineConfig } from 'vitest/config';
import { runInOrder } from './test/support/sequencer.ts';
import base from './vitest.config.ts';

/** For mutation testing: the tests of what runs in Lambda, in one process and without bundles. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/{functions,shared}/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts', 'test/support/template-assembly.ts'],
    setupFiles: [],
    isolate: true,
    reporters: ['default'],
    // The first failure ends a mutant's run, so the tests that take long come last.
    sequence: { sequencer: runInOrder(/test\/shared\/[^/]+$/, /test\/functions\//) },
  },
});
