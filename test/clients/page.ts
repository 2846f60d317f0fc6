import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../docs/integration.md', import.meta.url));

/** The page for integrators. */
export const page = readFileSync(file, 'utf8');

export const fences = [...page.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

/** The only block in a language. */
export const fenceIn = (language: string) => {
  const [fence, ...others] = fences.filter((each) => each.language === language);
  if (!fence || others.length > 0) throw new Error(`The page has ${others.length} more of ${language}.`);
  return fence.code;
};

/** A section from its heading to the next one of whatever depth. */
export const sectionOf = (heading: string) =>
  page.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';

export const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** A link to a heading has its words in lower case, joined by hyphens, and nothing else of it. */
const anchorsIn = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Whether there is a file, and in it a heading, where a relative link leads. */
export const resolves = (link: string) => {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(file), path) : file;
  return existsSync(target) && (!anchor || anchorsIn(readFileSync(target, 'utf8')).includes(anchor));
};
