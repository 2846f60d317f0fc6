import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundleOptions } from '../../infra/functions/bundle.ts';
import type { FunctionName } from '../harness/functions.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** What one finds in most guides: an ES module, minified, with all of the SDK inside. */
export const usualOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  minify: true,
  logLevel: 'warning',
  format: 'esm',
  mainFields: ['module', 'main'],
  // What packages in CommonJS call in an ES module; under a name that no minified one can be.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);",
  },
} as const satisfies BuildOptions;

const settings = { usual: usualOptions, deployed: bundleOptions };
type Setting = keyof typeof settings;

export type Build = { name: string; setting: Setting; folder: string; bytes: number };

/** Where the source of one of ours is, and of one that it is compared with. */
export const ours = (name: FunctionName) => `functions/${name}.ts`;
export const peer = (name: 'floor' | 'floor-authorizer' | 'hono' | 'express' | 'rows') =>
  `bench/peers/${name}.ts`;

/** Bundles of files of this project, each in a folder of its own, as in most guides or as ours are deployed. */
export const temporaryBuilds = () => {
  const root = mkdtempSync(join(tmpdir(), 'warehouse-control-builds-'));
  // For those that find packages outside their bundle.
  symlinkSync(inProject('node_modules'), join(root, 'node_modules'));

  const build = (file: string, setting: Setting, otherwise: BuildOptions = {}): Build => {
    const name = basename(file, '.ts');
    const folder = mkdtempSync(join(root, `${name}-`));
    const options: BuildOptions = { ...settings[setting], ...otherwise };
    const isModule = options.format === 'esm';
    const outfile = join(folder, isModule ? 'index.mjs' : 'index.js');
    if (!isModule) writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
    buildSync({ entryPoints: [inProject(file)], ...options, outfile });
    return { name, setting, folder, bytes: statSync(outfile).size };
  };

  return {
    usual: (file: string) => build(file, 'usual'),
    /** `otherwise` is what is not as it is deployed. */
    deployed: (file: string, otherwise?: BuildOptions) => build(file, 'deployed', otherwise),
    remove: () => rmSync(root, { recursive: true }),
  };
};

export type Builds = ReturnType<typeof temporaryBuilds>;
