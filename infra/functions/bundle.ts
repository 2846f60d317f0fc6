import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inProject = (path: string) => join(root, path);
const standIn = (name: string) => inProject(`infra/functions/bundle-stubs/${name}.ts`);

/** What the SDK brings along and a function never uses; each would be loaded at every cold start. */
export const stubbedModules = {
  '@aws-sdk/credential-provider-node': standIn('credentials'),
  // It is imported when it is used, and so bundled as a module that keeps its exports; nor can what it imports be shaken.
  '@smithy/core/event-streams': standIn('event-streams'),
  'node:fs/promises': standIn('files'),
} as const;

/**
 * How functions are bundled. CommonJS, because an ES module that imports "node:http" runs its lazy getters and so
 * loads the whole fetch stack; the SDK inside, because bundled it starts faster than the platform's copy; the ES
 * sources of packages first, because only they can be shaken.
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // An import of a module of Node while a request waits would load that module's lazy getters, as above.
  supported: { 'dynamic-import': false },
  alias: stubbedModules,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** One function's code as it is deployed. */
export const bundle = (name: string, outputFolder: string, sourceMapFolder: string) => {
  const { outputFiles } = buildSync({
    ...bundleOptions,
    entryPoints: [inProject(`functions/${name}.ts`)],
    outfile: join(outputFolder, 'index.js'),
    write: false,
    sourcemap: 'external',
  });
  mkdirSync(sourceMapFolder, { recursive: true });
  // So that it is CommonJS wherever it lies; on a laptop, that is below this project's own package of ES modules.
  writeFileSync(join(outputFolder, 'package.json'), '{"type":"commonjs"}');
  for (const { path, contents } of outputFiles) {
    const isMap = path.endsWith('.map');
    writeFileSync(
      isMap ? join(sourceMapFolder, `${name}.js.map`) : join(outputFolder, basename(path)),
      contents,
    );
  }
};
