import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** What the authors of the bundled packages ask to have with each copy; each text once. */
export const licencesOf = (bundled: readonly string[]) => {
  const folders = new Set(bundled.flatMap((file) => PACKAGE.exec(file) ?? []));
  const texts = [...folders].flatMap(licenceIn);
  return [...new Set(texts)].join('\n\n---\n\n');
};

/** Nothing in a text can end the comment, or the element that the script stands in. */
export const asComment = (text: string) => `/*!\n${text.replaceAll('*/', '* /').replaceAll('<', '&lt;')}\n*/`;

const licenceIn = (folder: string) => {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file ? [readFileSync(join(folder, file), 'utf8').trim()] : [];
};
