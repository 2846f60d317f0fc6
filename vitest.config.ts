import { defineConfig } from 'vitest/config';
import { variables } from './shared/environment.ts';
import { tables } from './shared/tables.ts';
import { runInOrder } from './test/support/sequencer.ts';
import { TallyReporter } from './test/support/tally-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/compile-cache.ts', 'test/support/engine.ts', 'test/support/assembly.ts'],
    setupFiles: ['test/support/fresh-modules.ts'],
    // The processes are kept for the packages that they have loaded, such as the CDK.
    isolate: false,
    reporters: ['default', new TallyReporter()],
    // Most of the longest wait for something else than the processor; begun late, they would have it to themselves.
    maxWorkers: 3,
    sequence: { sequencer: runInOrder(/test\/faults\//, /hostile/, /test\/shared\/storage\//) },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a deployment sets. The tests bring tables of their own; a function only has to find that it has one.
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...Object.fromEntries(Object.values(tables).map(({ variable }) => [variable, 'unused'])),
      [variables.clients]: 'unused:unused:unused',
      [variables.secretPrefix]: 'unused',
      [variables.credentialOverlapHours]: '24',
      [variables.metricsNamespace]: 'Counted',
    },
  },
});
