import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundleOptions } from '../../infra/functions/bundle.ts';

/** The bundling of most guides: a minified ES module with the whole SDK. */
const usualOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export type Contestant = {
  name: string;
  file: string;
  bytes: number;
  /** The floor neither checks nor splits a batch. */
  isFloor: boolean;
};

/** Bundles each contestant as usual, and as `npm run deploy` bundles ours. */
export const bundleContestants = (folder: string) => {
  const bundle = (name: string, source: string, options: BuildOptions): Contestant => {
    const outfile = join(
      mkdtempSync(join(folder, 'bundle-')),
      options.format === 'esm' ? 'index.mjs' : 'index.cjs',
    );
    const entryPoint = fileURLToPath(new URL(source, import.meta.url));
    buildSync({ ...options, entryPoints: [entryPoint], outfile });
    return { name, file: outfile, bytes: statSync(outfile).size, isFloor: source === 'floor.ts' };
  };
  const [floor, hono] = ['floor.ts', 'hono.ts'];
  const operation = '../../functions/post-material-stock-balance.ts';
  const others = [
    bundle('floor', floor, usualOptions),
    bundle('hono', hono, usualOptions),
    bundle('ours, bundled as usual', operation, usualOptions),
    bundle('floor, bundled like ours', floor, bundleOptions),
    bundle('hono, bundled like ours', hono, bundleOptions),
  ];
  return { ours: bundle('ours', operation, bundleOptions), others };
};
