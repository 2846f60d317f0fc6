import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '../support/run-app.ts';

/*
 * Runs the tests of the stores and of the interface on DynamoDB Local, which Maven downloads. Each engine listens only on
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

/** Runs one file at a time, because DynamoDB Local is slower than the embedded engine and the tests have time limits. */
const vitest = (project: string, files: string[], endpoint: string) =>
  spawnSync(process.execPath, [VITEST, 'run', '--no-file-parallelism', '--project', project, ...files], {
    cwd: projectFolder,
    env: { ...process.env, DYNAMODB_ENDPOINT: endpoint },
    stdio: 'inherit',
  }).status === 0;

/** Each file of test/interface starts a local run with the same table names, so each gets its own engine. */
const suites: [project: string, files: string[]][] = [
  ['all', ['test/shared/storage', 'test/functions', 'test/admin/store']],
  ...globSync('test/interface/**/*.test.ts', { cwd: projectFolder }).map((file): [string, string[]] => [
    'interface',
    [file],
  ]),
];

fetchEngine();
const failed: string[] = [];
for (const [project, files] of suites) {
  const engine = await startEngine();
  if (!vitest(project, files, engine.endpoint)) failed.push(...files);
  await engine.stop();
}
if (failed.length > 0) {
  process.stderr.write(`Failed on DynamoDB Local: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
