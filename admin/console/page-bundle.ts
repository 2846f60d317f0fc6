import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const inPage = (file: string) => fileURLToPath(new URL(`page/${file}`, import.meta.url));

type PageBundle = { script: string; style: string };

let bundle: Promise<PageBundle> | undefined;

/** Bundled at its first use, so that a start of the console does not wait for it. */
export const bundlePage = () => {
  bundle ??= makeBundle();
  return bundle;
};

/** In a process of esbuild, so that the console responds meanwhile. */
const makeBundle = async (): Promise<PageBundle> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [inPage('app.tsx'), inPage('console.css')],
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
  const licences = licencesOf(Object.keys(metafile.inputs).map((file) => join(PROJECT, file)));
  return { script: `${asComment(licences)}${textOf('.js')}`, style: textOf('.css') };
};

/** Replaces the comments of the page by these parts, and returns the page in pieces. */
export function* fillPage(parts: ReadonlyMap<string, string>) {
  const html = readFileSync(inPage('console.html'), 'utf8');
  for (const [index, piece] of html.split(/<!-- (\w+) -->/).entries())
    yield index % 2 === 0 ? piece : (parts.get(piece) ?? '');
}

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The licences of the bundled packages must be in each copy. Each text is written once. */
const licencesOf = (bundled: readonly string[]) => {
  const folders = new Set(bundled.flatMap((file) => PACKAGE.exec(file) ?? []));
  const texts = [...folders].flatMap((folder) => {
    const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return file ? [readFileSync(join(folder, file), 'utf8').trim()] : [];
  });
  return [...new Set(texts)].join('\n\n---\n\n');
};

/** Escaped, so that no text can end the comment or its script element. */
const asComment = (text: string) => `/*!\n${text.replaceAll('*/', '* /').replaceAll('<', '&lt;')}\n*/`;
