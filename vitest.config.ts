import { defineConfig } from 'vitest/config';
import { variables } from './shared/environment.ts';
import { tables } from './shared/tables.ts';
import { runInOrder, TallyReporter } from './test/support/vitest-run.ts';

// In its workers, Vitest sets a BASE_URL of its own.
const { BASE_URL } = process.env;

const globalSetup = ['test/support/vitest-run.ts'];

/** What a deployment sets. The tests create tables of their own; a function only checks that it has the names. */
const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  ...Object.fromEntries(Object.values(tables).map(({ variable }) => [variable, 'unused'])),
  [variables.clients]: 'unused:unused:unused',
  [variables.secretPrefix]: 'unused',
  [variables.credentialOverlapHours]: '24',
  [variables.metricsNamespace]: 'Counted',
};

export default defineConfig({
  test: {
    setupFiles: ['test/support/reset-modules.ts', 'test/support/skip-dynalite-gaps.ts'],
    // Workers keep the packages that they have loaded, such as the CDK.
    isolate: false,
    reporters: ['default', new TallyReporter()],
    // The first files mostly wait for timeouts and processes, so that there are more workers than processors.
    maxWorkers: 4,
    sequence: {
      sequencer: runInOrder(
        /faults\/(failing-calls|authorizer)/,
        /hostile/,
        /local\/(secrets|lifetime|command)/,
        /infra\/(cli|app)/,
        /test\/faults\//,
        /(admin\/lists|storage\/faults|doctor\/checks)\.test/,
      ),
    },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env,
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'], globalSetup } },
      {
        // The tests over HTTP alone: of the local run, or of the deployment at BASE_URL.
        extends: true,
        test: {
          name: 'interface',
          include: ['test/interface/**/*.test.ts'],
          globalSetup: BASE_URL ? [] : globalSetup,
          env: { ...env, ...(BASE_URL ? { WAREHOUSE_BASE_URL: BASE_URL } : {}) },
        },
      },
      {
        // Clients in other languages, which have to be installed.
        extends: true,
        test: { name: 'clients', include: ['test/clients/**/*.clients.ts'], globalSetup },
      },
      {
        // The functions under AWS's own runtime client, which has to be compiled.
        extends: true,
        test: { name: 'runtime', include: ['test/runtime/**/*.runtime.ts'], globalSetup },
      },
      {
        // Tools that read the API document, which have to be installed.
        extends: true,
        test: { name: 'openapi', include: ['test/openapi/**/*.openapi.ts'], globalSetup },
      },
      {
        // The pages of the console and of a report in Chromium, which has to be installed.
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.browser.ts'], globalSetup },
      },
      {
        // Files that LibreOffice opens and saves, which has to be installed.
        extends: true,
        test: { name: 'spreadsheets', include: ['test/spreadsheets/**/*.spreadsheets.ts'], globalSetup },
      },
    ],
  },
});
