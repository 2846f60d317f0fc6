import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import type { ReportData } from './data.ts';
import { asComment, licencesOf } from './licences.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const inPage = (file: string) => fileURLToPath(new URL(`page/${file}`, import.meta.url));
const textOf = (file: string) => readFileSync(inPage(file), 'utf8');

/** The page, in pieces that make one file: all that it needs is within, and the browser is told to allow no more. */
export function* reportHtml(data: ReportData) {
  const script = pageScript();
  const style = transformSync(textOf('page.css'), { loader: 'css', minify: true }).code.trim();
  const parts: Record<string, string> = {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">`,
    style: `<style>${style}</style>`,
    // Nothing in the data can end the element that holds it, or begin another.
    data: `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    script: `<script>${script}</script>`,
  };
  for (const [index, piece] of textOf('page.html')
    .split(/<!-- (\w+) -->/)
    .entries()) {
    yield index % 2 === 1 ? (parts[piece] ?? '') : piece;
  }
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

/** The charts bring styles of their own into their drawings, which no hash can tell beforehand. */
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
