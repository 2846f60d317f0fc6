import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The programs of clients in other languages, which have to be installed. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/clients/**/*.clients.ts'],
    globalSetup: ['test/support/compile-cache.ts', 'test/support/assembly.ts'],
    reporters: ['default'],
  },
});
