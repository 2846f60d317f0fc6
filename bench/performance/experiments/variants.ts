import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { stubbedModules } from '../../../infra/functions/bundle.ts';
import { BATCH_OPERATION } from '../batch-contestants.ts';
import { type Build, ours, temporaryBuilds, usualOptions } from '../builds.ts';

const FUNCTION = ours(BATCH_OPERATION);
const inFolder = (name: string) => `bench/performance/tried/${name}.ts`;

/** The function as it is deployed, but for one thing. */
type Variant = {
  name: string;
  /** In use: here it is undone. Otherwise it was tried and is not in use. */
  inUse: boolean;
  /** Why it is in use or not, where its figures do not say it. */
  because: string;
  options?: BuildOptions;
  /** What is bundled: the function, unless told otherwise. */
  file?: string;
  environment?: (folder: string) => Record<string, string>;
};

const without = (...names: (keyof typeof stubbedModules)[]): BuildOptions => ({
  alias: Object.fromEntries(
    Object.entries(stubbedModules).filter(([module]) => !names.some((name) => name === module)),
  ),
});

const variants: Variant[] = [
  {
    name: 'as an ES module',
    inUse: true,
    because: 'an ES module that imports `node:http` loads what fetch is made of',
    options: { format: 'esm', banner: usualOptions.banner },
  },
  {
    name: "with the SDK's chain of credentials",
    inUse: true,
    because: 'a function finds them in its environment, and has none of the files that the chain reads',
    options: without('@aws-sdk/credential-provider-node', 'node:fs/promises'),
  },
  {
    name: 'with event streams',
    inUse: true,
    because:
      'no operation has any; and what can be imported later cannot be shaken, nor what it imports itself',
    options: without('@smithy/core/event-streams'),
  },
  {
    name: 'with files for settings of the SDK',
    inUse: true,
    because: 'a function has none, and would look for them at its first request',
    options: without('node:fs/promises'),
  },
  {
    name: 'with imports of modules of Node while a request waits',
    inUse: true,
    because: 'the first one starts the loader of ES modules',
    options: { supported: {} },
  },
  {
    name: 'with a number written by `toLocaleString`',
    inUse: true,
    because: 'it loads the rules of all languages to write one number',
    options: { banner: { js: "(1e6).toLocaleString('en-US');" } },
  },
  {
    name: 'with `node:perf_hooks`',
    inUse: true,
    because: '`process.hrtime`, which takes its place, is there already',
    options: { banner: { js: "require('node:perf_hooks');" } },
  },
  {
    name: 'with the document client',
    inUse: true,
    because: 'the items are made as the table takes them, so nothing is left for it to do',
    file: inFolder('with-document-client'),
  },
  {
    name: 'not minified',
    inUse: true,
    because: 'minified, there is less to read; traces are read with the source maps',
    options: { minify: false },
  },
  {
    name: 'with the SDK outside the bundle',
    inUse: true,
    because:
      'inside it is shaken, one file, and the version that was tested; outside is here this folder of packages, not the copy of the platform',
    options: { external: ['@aws-sdk/*', '@smithy/*'] },
  },
  {
    name: 'a stand-in for the cache of discovered endpoints',
    inUse: false,
    because: 'one more module of the SDK to look after at each of its versions',
    options: {
      alias: {
        ...stubbedModules,
        '@aws-sdk/endpoint-cache': fileURLToPath(new URL('endpoint-cache.ts', import.meta.url)),
      },
    },
  },
  {
    name: 'a bundle that knows of no web streams',
    inUse: false,
    because: 'the SDK asks for them in places that a new version may move',
    options: { define: { ReadableStream: 'undefined' } },
  },
  {
    name: "V8's code cache (`NODE_COMPILE_CACHE`), filled before",
    inUse: false,
    because:
      'it holds for one version of Node on one kind of processor, and the platform changes its Node without a word',
    environment: (folder) => ({ NODE_COMPILE_CACHE: join(folder, 'code-cache') }),
  },
];

export type Built = Build & { variant?: Variant };

/** Bundles of the function: as deployed, each of the variants, and one that opens its connection early. */
export const builtVariants = () => {
  const { deployed, remove } = temporaryBuilds();
  const inUse = deployed(FUNCTION);
  const build = (variant: Variant): Built => {
    const built = deployed(variant.file ?? FUNCTION, variant.options);
    // A new version of the SDK may have moved what a variant is about.
    if (!variant.environment && built.bytes === inUse.bytes)
      throw new Error(`Nothing is new: ${variant.name}.`);
    return { ...built, name: variant.name, variant };
  };
  return {
    deployed: { ...inUse, name: 'as deployed' },
    variants: variants.map(build),
    early: deployed(inFolder('early-connection')),
    remove,
  };
};
