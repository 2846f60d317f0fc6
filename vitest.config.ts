import { defineConfig } from 'vitest/config';
import { variables } from './shared/environment.ts';
import { serviceTables } from './shared/tables.ts';
import { runInOrder, TallyReporter } from './test/support/vitest-setup.ts';

// Under another name, because Vitest sets its own BASE_URL in its workers.
const { BASE_URL } = process.env;

const globalSetup = ['test/support/vitest-setup.ts'];

/** Variables of a deployment. The tests create their own tables, so the names only have to exist. */
const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  // It would start a process that reports to AWS.
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  ...Object.fromEntries(Object.values(serviceTables).map(({ variable }) => [variable, 'unused'])),
  ...Object.fromEntries(Object.values(variables).map((variable) => [variable, 'unused'])),
  [variables.plans]: 'standard:20,slow:2',
  [variables.metricsNamespace]: 'Counted',
};

const project = (name: string, include: string[], more = {}) => ({
  extends: true as const,
  test: { name, include, globalSetup, ...more },
});

/** The tests that call the functions, so that `npx vitest` tests a change in seconds. */
const watched = [project('watch', ['test/functions/**/*.test.ts', 'test/shared/schemas/**/*.test.ts'])];

const projects = [
  project('all', ['test/**/*.test.ts']),
  // Kills, waits or repeats thousands of times.
  project('slow', ['test/**/*.slow.ts']),
  // The tests over HTTP, of the local run or of the deployment at BASE_URL.
  project(
    'interface',
    ['test/interface/**/*.test.ts'],
    BASE_URL ? { globalSetup: [], env: { ...env, WAREHOUSE_BASE_URL: BASE_URL } } : {},
  ),
  // Needs the languages of the clients.
  project('clients', ['test/clients/**/*.clients.ts']),
  // Needs AWS's own runtime client, which test/runtime/tools.ts installs.
  project('runtime', ['test/runtime/**/*.runtime.ts']),
  // Needs schemathesis, which makes requests from the API document.
  project('openapi', ['test/openapi/**/*.openapi.ts']),
  // Needs Chromium.
  project('browser', ['test/browser/**/*.browser.ts']),
  // Needs LibreOffice.
  project('spreadsheets', ['test/spreadsheets/**/*.spreadsheets.ts']),
];

const isWatching = !process.argv.includes('run');

export default defineConfig({
  test: {
    setupFiles: ['test/support/test-file-setup.ts'],
    // A golden file that is missing fails its test, unless --update writes it.
    update: process.argv.some((argument) => /^(-u|--update)/.test(argument)) ? 'all' : 'none',
    // Workers keep loaded packages, such as the CDK.
    isolate: false,
    // The others wait for the synthesis, which runs meanwhile.
    sequence: { sequencer: runInOrder(/\/test\/(functions|shared|admin)\//) },
    reporters: ['default', new TallyReporter()],
    // More workers than processors take more time, because each worker loads the SDK and the CDK.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env,
    projects: isWatching ? watched : projects,
  },
});
