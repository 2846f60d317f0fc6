import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/clients/**/*.clients.ts'],
    globalSetup: ['test/support/assembly.ts'],
    reporters: ['default'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
