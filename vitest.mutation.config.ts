import { defineConfig } from 'vitest/config';
import { runInOrder } from './test/support/vitest-setup.ts';
import base from './vitest.config.ts';

const { projects: _, ...common } = base.test ?? {};

/** Only the tests of the code that runs in Lambda. */
export default defineConfig({
  test: {
    ...common,
    name: 'mutation',
    include: ['test/{functions,shared}/**/*.test.ts'],
    globalSetup: ['test/support/vitest-setup.ts'],
    setupFiles: [],
    isolate: true,
    reporters: ['default'],
    // The first failure ends a mutant's run, so the slow tests come last.
    sequence: { sequencer: runInOrder(/test\/shared\/[^/]+$/, /test\/functions\//) },
  },
});
