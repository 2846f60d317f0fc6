export type Separator = ',' | ';';

/** The first line that is not blank. A line break in quotation marks does not end the line. */
export const firstLine = (text: string): { line: string; end: number } => {
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== '\n' && character !== '\r')) continue;
    if (text.slice(start, at).trim() !== '') return { line: text.slice(start, at), end: at };
    start = at + 1;
  }
  return { line: text.slice(start), end: text.length };
};

/** Excel can declare the separator on a line above the titles. */
const DECLARATION = /^"?sep=(.)"?$/i;

type Found = { separator: Separator; isDeclared: boolean } | { issue: string };

const SAVE_AS_CSV = 'save the file as "CSV UTF-8", with cells separated by commas or semicolons';

/** `chosen` comes from `--separator`. */
export const findSeparator = (line: string, chosen?: Separator): Found => {
  const declared = DECLARATION.exec(line)?.[1];
  if (chosen) return { separator: chosen, isDeclared: declared !== undefined };
  if (declared === ',' || declared === ';') return { separator: declared, isDeclared: true };
  if (declared) return { issue: `sep= names neither a comma nor a semicolon; ${SAVE_AS_CSV}` };
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const commas = unquoted.split(',').length - 1;
  const semicolons = unquoted.split(';').length - 1;
  if (commas > 0 && commas === semicolons) {
    return {
      issue: 'the titles contain as many commas as semicolons; add a line with sep=; or sep=, above them',
    };
  }
  if (commas === 0 && semicolons === 0 && unquoted.includes('\t')) {
    return { issue: `the titles are separated by tabs; ${SAVE_AS_CSV}` };
  }
  return { separator: semicolons > commas ? ';' : ',', isDeclared: false };
};
