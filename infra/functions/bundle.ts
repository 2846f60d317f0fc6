import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inProject = (path: string) => join(root, path);
const stub = (name: string) => inProject(`infra/functions/bundle-stubs/${name}.ts`);

/** Modules that the SDK imports and no function uses. Without a stub, every cold start loads them. */
export const stubbedModules = {
  '@aws-sdk/credential-provider-node': stub('credentials'),
  // The SDK imports this one dynamically, so that esbuild cannot drop its unused exports.
  '@smithy/core/event-streams': stub('event-streams'),
  'node:fs/promises': stub('files'),
} as const;

/**
 * CommonJS, because an ES module that imports "node:http" runs its lazy getters, which load the code of fetch.
 * The SDK is bundled, because it starts faster than the platform's copy. `mainFields` prefers ES sources, because
 * esbuild drops unused code only from those.
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // A dynamic import of a Node module during a request would run its lazy getters, as above.
  supported: { 'dynamic-import': false },
  alias: stubbedModules,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Writes the code of one function as it is deployed. */
export const bundle = (name: string, outputFolder: string, sourceMapFolder: string) => {
  const { outputFiles } = buildSync({
    ...bundleOptions,
    entryPoints: [inProject(`functions/${name}.ts`)],
    outfile: join(outputFolder, 'index.js'),
    write: false,
    sourcemap: 'external',
  });
  mkdirSync(sourceMapFolder, { recursive: true });
  // The package.json of this project, above the bundle, would make it an ES module.
  writeFileSync(join(outputFolder, 'package.json'), '{"type":"commonjs"}');
  for (const { path, contents } of outputFiles) {
    const isMap = path.endsWith('.map');
    writeFileSync(
      isMap ? join(sourceMapFolder, `${name}.js.map`) : join(outputFolder, basename(path)),
      contents,
    );
  }
};
