import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundle, bundleOptions } from '../../infra/functions/bundle.ts';
import { type OperationName, operationNames } from '../../shared/operations.ts';

export type FunctionName = OperationName | 'authorizer';
export const functionNames: readonly FunctionName[] = ['authorizer', ...operationNames];

export const competitorNames = ['floor', 'hono', 'express'] as const;
export type CompetitorName = (typeof competitorNames)[number] | 'empty';
export type Bundle = { file: string; bytes: number };

/** As most guides show it: a minified ES module with the whole SDK. */
const usualOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
  // CommonJS packages call `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);",
  },
} as const satisfies BuildOptions;

const sourceOf = (path: string) => fileURLToPath(new URL(`../../${path}.ts`, import.meta.url));

export const createBundler = () => {
  const root = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const newFolder = () => mkdtempSync(join(root, 'bundle-'));
  const measureSize = (file: string): Bundle => ({ file, bytes: statSync(file).size });

  const build = (entryPoint: string, options: BuildOptions, fileName: string) => {
    const outfile = join(newFolder(), fileName);
    buildSync({ ...options, entryPoints: [entryPoint], outfile });
    return measureSize(outfile);
  };

  return {
    usual: {
      competitor: (name: CompetitorName) =>
        build(sourceOf(`bench/competitors/${name}`), usualOptions, 'index.mjs'),
      ours: (name: FunctionName) => build(sourceOf(`functions/${name}`), usualOptions, 'index.mjs'),
    },
    deployed: {
      competitor: (name: CompetitorName) =>
        build(sourceOf(`bench/competitors/${name}`), bundleOptions, 'index.cjs'),
      ours: (name: FunctionName) => {
        const folder = newFolder();
        const sourceMaps = join(root, 'source-maps');
        mkdirSync(sourceMaps, { recursive: true });
        bundle(name, folder, sourceMaps);
        return measureSize(join(folder, 'index.js'));
      },
    },
    remove: () => rmSync(root, { recursive: true }),
  };
};

export type Bundler = ReturnType<typeof createBundler>;
