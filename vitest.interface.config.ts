import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

// In its workers, Vitest has a BASE_URL of its own.
const { BASE_URL } = process.env;

/** The tests that speak HTTP alone: to the local run, which is made from a synthesis, or to a deployment. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/interface/**/*.test.ts'],
    globalSetup: BASE_URL ? [] : ['test/support/compile-cache.ts', 'test/support/assembly.ts'],
    env: { ...base.test?.env, ...(BASE_URL ? { WAREHOUSE_BASE_URL: BASE_URL } : {}) },
  },
});
