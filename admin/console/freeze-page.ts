import { createHash } from 'node:crypto';
import { bundlePage, fillPage } from './page-bundle.ts';
import type { StockData } from './stock/stock-data.ts';

/** The console's page and its data as one file, in pieces. Its policy forbids the browser to load anything else. */
export const freezePage = (data: StockData) => {
  const { script, style } = bundlePage();
  // Escaped, so that no text in the data can end its element or begin another.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return fillPage(
    new Map([
      ['policy', `<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">`],
      ['style', `<style>${style}</style>`],
      ['data', `<script type="application/json" id="data">${json}</script>`],
      ['script', `<script>${script}</script>`],
    ]),
  );
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
