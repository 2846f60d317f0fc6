import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideRuntimeClient } from '../test/runtime/tools.ts';

/*
 * npm run bench             checks the competitors, measures everything and writes the tables of docs/performance.md
 * npm run bench -- --quick  measures little and prints the tables, to test the benchmark itself
 */

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const here = fileURLToPath(new URL('.', import.meta.url));

const npm = (...args: string[]) => {
  const { status } = spawnSync('npm', args, {
    cwd: here,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
};

if (!existsSync(new URL('node_modules', import.meta.url))) npm('ci');
npm('run', '--silent', 'check');
if (!provideRuntimeClient()) process.exit(1);

// Imported late, because its packages exist only after the installation.
const { runBenchmark } = await import('./run-benchmark.ts');
await runBenchmark({ isQuick: values.quick });
