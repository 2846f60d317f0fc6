import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '../support/run-app.ts';

/*
 * Runs the tests that store or read on DynamoDB Local, which Maven downloads. The engine listens only on
 * loopback, and ends with this process.
 */

const libraries = join(projectFolder, 'node_modules/.cache/dynamodb-local');

const fetchEngine = () => {
  const pom = join(import.meta.dirname, 'pom.xml');
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
  execFileSync('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], { stdio: 'inherit' });
};

const startEngine = async () => {
  const source = join(import.meta.dirname, 'loopback.java');
  const args = [`-Djava.library.path=${libraries}`, '--class-path', join(libraries, '*'), source];
  const engine = spawn('java', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { value: port } = await createInterface(engine.stdout)[Symbol.asyncIterator]().next();
  if (!port) throw new Error('DynamoDB Local did not start.');
  const stop = async () => {
    engine.stdin.end();
    await once(engine, 'exit');
  };
  return { endpoint: `http://127.0.0.1:${port}`, stop };
};

const VITEST = join(projectFolder, 'node_modules/vitest/vitest.mjs');

/** Without parallel files, because DynamoDB Local is slower than the embedded engine. */
const run = ['run', '--no-file-parallelism', '--project', 'all'];
const filters = [
  ...['test/shared/storage', 'test/admin/storage', 'test/functions/get-', 'test/functions/post-'],
  ...['service', 'hostile'].map((name) => `test/interface/${name}`),
];
// Vitest ignores a filter that fits no file.
for (const filter of filters)
  if (globSync(`${filter}*`, { cwd: projectFolder }).length === 0) throw new Error(`There is no ${filter}.`);

fetchEngine();
const engine = await startEngine();
const { status } = spawnSync(process.execPath, [VITEST, ...run, ...filters], {
  cwd: projectFolder,
  env: { ...process.env, DYNAMODB_ENDPOINT: engine.endpoint },
  stdio: 'inherit',
});
await engine.stop();
if (status !== 0) process.exitCode = 1;
