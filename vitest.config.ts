import { defineConfig } from 'vitest/config';
import { variables } from './shared/environment.ts';
import { tables } from './shared/tables.ts';
import { runInOrder, TallyReporter } from './test/support/vitest-run.ts';

// Under another name, because Vitest sets its own BASE_URL in its workers.
const { BASE_URL } = process.env;

const globalSetup = ['test/support/vitest-run.ts'];

/** Variables of a deployment. The tests create their own tables, so the names only have to exist. */
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

/** `npx vitest` watches the tests that call the functions, so that it answers a change in seconds. */
const isWatching = !process.argv.includes('run');
const quick = ['test/functions/**/*.test.ts', 'test/shared/schemas/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/support/reset-modules.ts', 'test/support/expect-dynalite-gaps.ts'],
    // Workers keep loaded packages, such as the CDK.
    isolate: false,
    reporters: ['default', new TallyReporter()],
    // More workers than processors, because the first files mostly wait for timeouts and processes.
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
    ...(isWatching ? { project: ['all'] } : {}),
    projects: [
      {
        extends: true,
        test: { name: 'all', include: isWatching ? quick : ['test/**/*.test.ts'], globalSetup },
      },
      {
        // Kills, waits or repeats thousands of times.
        extends: true,
        test: { name: 'slow', include: ['test/**/*.slow.ts'], globalSetup },
      },
      {
        // The tests over HTTP, of the local run or of the deployment at BASE_URL.
        extends: true,
        test: {
          name: 'interface',
          include: ['test/interface/**/*.test.ts'],
          globalSetup: BASE_URL ? [] : globalSetup,
          env: { ...env, ...(BASE_URL ? { WAREHOUSE_BASE_URL: BASE_URL } : {}) },
        },
      },
      {
        // Needs the languages of the clients.
        extends: true,
        test: { name: 'clients', include: ['test/clients/**/*.clients.ts'], globalSetup },
      },
      {
        // Needs AWS's own runtime client, which is compiled first.
        extends: true,
        test: { name: 'runtime', include: ['test/runtime/**/*.runtime.ts'], globalSetup },
      },
      {
        // Needs schemathesis, which makes requests from the API document.
        extends: true,
        test: { name: 'openapi', include: ['test/openapi/**/*.openapi.ts'], globalSetup },
      },
      {
        // Needs Chromium.
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.browser.ts'], globalSetup },
      },
      {
        // Needs LibreOffice.
        extends: true,
        test: { name: 'spreadsheets', include: ['test/spreadsheets/**/*.spreadsheets.ts'], globalSetup },
      },
    ],
  },
});
