import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import highlighter from 'highlight.js';
import { Marked, type Tokens } from 'marked';
import { DEMO_DATA, startDemo } from '../pictures/start-demo.ts';
import { escapeHtml, renderPage } from './page.ts';

/*
 * npm run site  builds the site in the folder site: the pages, the API document and a report of the demo.
 */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = join(PROJECT, 'site');

/** Pages also link to other files. Files of these kinds are copied. Other links lead to the repository. */
const COPIED = /^docs\/.*\.(json|sh|png|svg)$/;

/** Base address of the sources, set in GitHub Actions. Without it, links to sources become plain text. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA } = process.env;
const SOURCES = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${GITHUB_SHA}`;

const readText = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT, exclude: ['**/node_modules/**'] })
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted();

const write = (file: string, content: string) => {
  mkdirSync(dirname(join(SITE, file)), { recursive: true });
  writeFileSync(join(SITE, file), content);
};
const copy = (path: string) => {
  mkdirSync(dirname(join(SITE, path)), { recursive: true });
  copyFileSync(join(PROJECT, path), join(SITE, path));
};

/** The file of a page in the site. */
const fileOf = (page: string) => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');

/** Returns the target of a link, and copies the file if needed. Undefined: show plain text. */
const resolveLink = (page: string, link: string) => {
  if (/^(\w+:|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '');
  if (!existsSync(join(PROJECT, target))) throw new Error(`${page} links to ${link}, which does not exist.`);
  const isPage = pages.includes(target);
  if (!isPage && !COPIED.test(target)) return SOURCES && `${SOURCES}/${target}`;
  if (!isPage) copy(target);
  const file = posix.relative(posix.dirname(fileOf(page)), fileOf(target));
  return anchor === undefined ? file : `${file}#${anchor}`;
};

const highlight = ({ text, lang = '' }: Tokens.Code) =>
  highlighter.getLanguage(lang) ? highlighter.highlight(text, { language: lang }).value : escapeHtml(text);

/** Links to the sections of a page that has many. */
const contentsOf = (sections: readonly { id: string; html: string }[]) =>
  sections.length < 4
    ? ''
    : `<details class="contents"><summary>On this page</summary><ul>${sections
        .map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`)
        .join('')}</ul></details>`;

/** The HTML of a page, with the anchors that GitHub gives its headings. */
const renderMarkdown = (page: string) => {
  const slugger = new GithubSlugger();
  const sections: { id: string; html: string }[] = [];
  let title = '';
  let hasDiagram = false;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        // A link must not have a link inside.
        const html = this.parser.parseInline(tokens).replaceAll(/<\/?a\b[^>]*>/g, '');
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = slugger.slug(text);
        if (depth === 1) title ||= text;
        if (depth === 2) sections.push({ id, html });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = resolveLink(page, href);
        const html = this.parser.parseInline(tokens);
        return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolveLink(page, href) ?? '')}" alt="${escapeHtml(text)}">`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code(token) {
        if (token.lang !== 'mermaid') return `<pre tabindex="0"><code>${highlight(token)}</code></pre>\n`;
        hasDiagram = true;
        return `<pre class="mermaid" tabindex="0">${escapeHtml(token.text)}</pre>\n`;
      },
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>')
          // An empty header cell is a fault for screen readers.
          .replaceAll('<th></th>', '<td></td>'),
    },
  });
  const html = marked.parse(readText(page), { async: false });
  const body = html.replace('</h1>', `</h1>${contentsOf(sections)}`);
  return { title, body, scripts: hasDiagram ? ['diagrams.js'] : [] };
};

const writePages = () => {
  for (const page of pages) {
    const file = fileOf(page);
    write(file, renderPage({ file, ...renderMarkdown(page) }));
  }
};

const writeApiPage = () => {
  copy('docs/openapi.json');
  const { title }: { title: string } = JSON.parse(readText('docs/openapi.json')).info;
  const body = '<div id="api" data-document="docs/openapi.json"></div>';
  write('api.html', renderPage({ file: 'api.html', title, body, scripts: ['api.js'], hasOwnStyle: true }));
};

/** The style and the scripts of the site, and the scripts of the packages that it uses. */
const copyAssets = () => {
  const assets = join(SITE, 'assets');
  cpSync(fileURLToPath(new URL('assets', import.meta.url)), assets, { recursive: true });
  const packages = fileURLToPath(new URL('node_modules', import.meta.url));
  const copyScripts = (from: string, to: string) =>
    cpSync(join(packages, from), join(assets, to), {
      recursive: true,
      filter: (path) => !/\.map$|standalone\.js$/.test(path),
    });
  copyScripts('@scalar/api-reference/dist/browser', 'scalar');
  copyScripts('mermaid/dist/mermaid.esm.min.mjs', 'mermaid/mermaid.mjs');
  copyScripts('mermaid/dist/chunks/mermaid.esm.min', 'mermaid/chunks/mermaid.esm.min');
};

const writeReport = async () => {
  const stopDemo = await startDemo();
  try {
    const report = join(SITE, 'report.html');
    const command = ['admin/main.ts', '--local', '--data', DEMO_DATA, 'report', '--out', report];
    execFileSync(process.execPath, command, { cwd: PROJECT, stdio: ['ignore', 'ignore', 'inherit'] });
    // A report is readable by its owner alone, and GitHub Pages refuses such files.
    chmodSync(report, 0o644);
  } finally {
    await stopDemo();
  }
};

rmSync(SITE, { recursive: true, force: true });
writePages();
writeApiPage();
copyAssets();
await writeReport();
process.stdout.write(`The site is in site: ${pages.length} pages, the API and a report.\n`);
