import { globSync, readFileSync } from 'node:fs';

const docs = new URL('../../docs/', import.meta.url);

const readPage = (path: string) => {
  const text = readFileSync(new URL(path, docs), 'utf8');
  const fences = [...text.matchAll(/^```(\S*)\n(.*?)^```$/gms)];
  return { path, text, fences: fences.map(([, language = '', code = '']) => ({ language, code })) };
};

type Page = ReturnType<typeof readPage>;

/** The page for integrators. */
export const page = readPage('integration.md');

/** The page of each language. */
const languagePages = globSync('clients/*.md', { cwd: docs }).map(readPage);

/** The one block in a language on a page. */
export const fenceIn = ({ path, fences }: Page, language: string) => {
  const [fence, ...others] = fences.filter((block) => block.language === language);
  if (!fence || others.length > 0) throw new Error(`${path} has not exactly one block of ${language}.`);
  return fence.code;
};

/** The page with the program in a language. */
export const pageOf = (language: string) => {
  const [found] = languagePages.filter(({ fences }) => fences.some((block) => block.language === language));
  if (!found) throw new Error(`No page has a block of ${language}.`);
  return found;
};

export const programIn = (language: string) => fenceIn(pageOf(language), language);
