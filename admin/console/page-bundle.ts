import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const pageFile = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

type PageBundle = { script: string; style: string };

let bundle: Promise<PageBundle> | undefined;

export const readHtml = () => readFileSync(pageFile('console.html'), 'utf8');

/** Bundles at the first use, so that the start of the console does not wait. */
export const bundlePage = () => {
  bundle ??= makeBundle();
  return bundle;
};

/** esbuild works in its own process, so the console responds meanwhile. */
const makeBundle = async (): Promise<PageBundle> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [pageFile('app.tsx'), pageFile('console.css')],
    bundle: true,
    write: false,
    outdir: 'unused',
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: PROJECT,
    logLevel: 'warning',
  });
  await stop();
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? '';
  const licences = licencesOf(Object.keys(metafile.inputs));
  return { script: `/*!\n${licences}\n*/${textOf('.js')}`, style: textOf('.css') };
};

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Each copy of a bundle must have the licences of the packages in it. */
const licencesOf = (files: readonly string[]) => {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file) ?? []));
  const texts = [...folders].flatMap((name) => {
    const folder = join(PROJECT, name);
    const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return file ? [readFileSync(join(folder, file), 'utf8').trim()] : [];
  });
  return [...new Set(texts)].join('\n\n---\n\n');
};
