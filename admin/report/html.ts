import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import type { ReportData } from './data.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const inPage = (file: string) => fileURLToPath(new URL(`page/${file}`, import.meta.url));
const textOf = (file: string) => readFileSync(inPage(file), 'utf8');

/** The page, in pieces of one file that holds all it needs. Its policy forbids the browser to load anything else. */
export function* reportHtml(data: ReportData) {
  const script = pageScript();
  const style = transformSync(textOf('page.css'), { loader: 'css', minify: true }).code.trim();
  // No text in the data can end the element that holds it, or begin another.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const parts = new Map([
    ['policy', `<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">`],
    ['style', `<style>${style}</style>`],
    ['data', `<script type="application/json" id="data">${json}</script>`],
    ['script', `<script>${script}</script>`],
  ]);
  for (const piece of textOf('page.html').split(/<!-- (\w+) -->/)) yield parts.get(piece) ?? piece;
}

const pageScript = () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [inPage('main.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: PROJECT,
    logLevel: 'warning',
  });
  const licences = licencesOf(Object.keys(metafile.inputs).map((file) => join(PROJECT, file)));
  const code = outputFiles.map(({ text }) => text.trim()).join('');
  return `${asComment(licences)}${code}`;
};

/** Styles are not hashed: the charts add their own while they draw. */
const policyFor = (script: string) => {
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
};

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The licences of the bundled packages ask to be in each copy; each text is written once. */
const licencesOf = (bundled: readonly string[]) => {
  const folders = new Set(bundled.flatMap((file) => PACKAGE.exec(file) ?? []));
  const texts = [...folders].flatMap((folder) => {
    const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return file ? [readFileSync(join(folder, file), 'utf8').trim()] : [];
  });
  return [...new Set(texts)].join('\n\n---\n\n');
};

/** No text can end the comment, or the script element that holds it. */
export const asComment = (text: string) => `/*!\n${text.replaceAll('*/', '* /').replaceAll('<', '&lt;')}\n*/`;
