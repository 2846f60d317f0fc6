import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { variables } from '../shared/environment.ts';

/*
 * What a logger costs at a cold start: the size of a bundle that holds nothing else, and the time to load it in a
 * fresh process, in turns. Run: npm i --no-save @aws-lambda-powertools/logger && npx --no-install node bench/logger.ts
 */

const RUNS = 30;
const folder = mkdtempSync(join(tmpdir(), 'logger-'));

const sources = {
  ours: "import { log } from './shared/log.ts'; export const handler = () => log.info('code');",
  powertools:
    "import { Logger } from '@aws-lambda-powertools/logger'; import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'; const logger = new Logger(); export const handler = () => [logger.info('code'), injectLambdaContext(logger)];",
};

const build = (name: string, contents: string) => {
  const outfile = join(folder, `${name}.js`);
  buildSync({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
  });
  const loader = join(folder, `${name}-load.cjs`);
  writeFileSync(
    loader,
    `const start = process.hrtime.bigint(); require(${JSON.stringify(outfile)}); console.log(Number(process.hrtime.bigint() - start) / 1e6);`,
  );
  return { name, kilobytes: statSync(outfile).size / 1024, loader, times: [] as number[] };
};

const bundles = Object.entries(sources).map(([name, source]) => build(name, source));
for (let run = 0; run < RUNS; run += 1) {
  for (const { loader, times } of bundles)
    times.push(
      Number(execFileSync(process.execPath, [loader], { env: { [variables.metricsNamespace]: 'any' } })),
    );
}
const median = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
for (const { name, kilobytes, times } of bundles) {
  process.stdout.write(`${name}: ${kilobytes.toFixed(1)} KB, ${median(times).toFixed(2)} ms to load\n`);
}
