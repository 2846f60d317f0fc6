import { readFileSync } from 'node:fs';

/** The page for integrators. */
export const page = readFileSync(new URL('../../docs/integration.md', import.meta.url), 'utf8');

export const fences = [...page.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

/** The only block in a language. */
export const fenceIn = (language: string) => {
  const [fence, ...others] = fences.filter((block) => block.language === language);
  if (!fence || others.length > 0) throw new Error(`The page has not exactly one block of ${language}.`);
  return fence.code;
};
