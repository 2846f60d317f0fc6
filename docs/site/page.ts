const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The pages that every page links to. */
const NAVIGATION: readonly (readonly [file: string, title: string])[] = [
  ['docs/integration.html', 'Callers'],
  ['docs/admin.html', 'Admins'],
  ['docs/operations.html', 'Operators'],
  ['CONTRIBUTING.html', 'Contributors'],
  ['api.html', 'API'],
  ['report.html', 'Report of the demo'],
];

/** The API page and the diagrams set styles in their elements. Everything else comes from the site itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232463b0' d='M1 6 8 1l7 5v9h-3V8H4v7H1z'/%3E%3C/svg%3E";

const link = (file: string, root: string, [target, title]: readonly [string, string]) =>
  `<a href="${root}${target}"${target === file ? ' aria-current="page"' : ''}>${title}</a>`;

type Page = { file: string; title: string; body: string; scripts: readonly string[]; hasOwnStyle?: true };

/** A whole page. The file is its path in the site, and the scripts are files in the folder assets. */
export const renderPage = ({ file, title, body, scripts, hasOwnStyle }: Page) => {
  const root = '../'.repeat(file.split('/').length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}assets/site.css">
${scripts.map((script) => `<script type="module" src="${root}assets/${script}"></script>`).join('\n')}
</head>
<body>
<header class="site"><nav aria-label="Site">
${[['index.html', 'Warehouse Control Interface'] as const, ...NAVIGATION].map((entry) => link(file, root, entry)).join('\n')}
</nav></header>
<main${hasOwnStyle ? '' : ' class="page"'}>${body}</main>
</body>
</html>
`;
};
