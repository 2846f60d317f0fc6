import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The page of a report in Chromium, which has to be installed. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: [],
    reporters: ['default'],
    maxWorkers: 1,
  },
});
