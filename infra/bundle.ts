import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const inProject = (path: string) => join(root, path);

/**
 * One function's code as it is deployed. CommonJS, because an ES module that imports "node:http" runs its lazy
 * getters and so loads the whole fetch stack; the SDK inside, because bundled it starts faster than the
 * platform's copy; the ES sources of packages first, because only they can be shaken.
 */
export const bundle = (name: string, outputFolder: string, sourceMapFolder: string) => {
  const { outputFiles } = buildSync({
    entryPoints: [inProject(`functions/${name}.ts`)],
    outfile: join(outputFolder, 'index.js'),
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    alias: { '@aws-sdk/credential-provider-node': inProject('shared/environment-credentials.ts') },
    logLevel: 'warning',
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
