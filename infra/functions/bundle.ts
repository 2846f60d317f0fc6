import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inProject = (path: string) => join(root, path);

/** The SDK is bundled, because it starts faster than the copy in the Lambda runtime. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // CommonJS, because an ES module that imports "node:http" also loads the code of fetch, which no function uses.
  format: 'cjs',
  // Prefers the ES modules of packages, because esbuild drops unused code only from ES modules.
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // Turns `import()` into `require()`, for the reason given at `format`.
  supported: { 'dynamic-import': false },
  // These modules are imported only by code of the SDK that no function uses. Without the stubs, every cold start would load them.
  // Each stub has its own file, because esbuild adds code to a dynamically imported file and to all of its imports.
  alias: {
    '@aws-sdk/credential-provider-node': inProject('infra/functions/stubs/credentials.ts'),
    // The SDK imports this module dynamically, so esbuild would keep all of its exports.
    '@smithy/core/event-streams': inProject('infra/functions/stubs/event-streams.ts'),
    'node:fs/promises': inProject('infra/functions/stubs/files.ts'),
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;

export const bundle = (name: string, outputFolder: string, sourceMapFolder: string) => {
  const { outputFiles } = buildSync({
    ...bundleOptions,
    entryPoints: [inProject(`functions/${name}.ts`)],
    outfile: join(outputFolder, 'index.js'),
    write: false,
    sourcemap: 'external',
  });
  mkdirSync(sourceMapFolder, { recursive: true });
  // Without this file, the package.json of this project would make the bundle an ES module.
  writeFileSync(join(outputFolder, 'package.json'), '{"type":"commonjs"}');
  for (const { path, contents } of outputFiles) {
    const isMap = path.endsWith('.map');
    writeFileSync(
      isMap ? join(sourceMapFolder, `${name}.js.map`) : join(outputFolder, basename(path)),
      contents,
    );
  }
};
