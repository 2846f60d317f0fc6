import { readFileSync } from 'node:fs';
import { apiDocument } from './document.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const DOCUMENT_FILE = new URL('../openapi.json', import.meta.url);

const WIDTH = 110;

const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|[-+.\deE]+|true|false|null)`;
const LIST = new RegExp(String.raw`^( *)(.*)\[\n\s*(${SCALAR}(?:,\n\s*${SCALAR})*)\n\s*\](,?)$`, 'gm');

/** JSON as Biome formats it: a list of scalars is on one line if it fits. */
const toText = (document: object) =>
  `${JSON.stringify(document, null, 2).replace(LIST, (long, indent, name, values, comma) => {
    const short = `${indent}${name}[${values.replace(/,\n\s*/g, ', ')}]${comma}`;
    return short.length <= WIDTH ? short : long;
  })}\n`;

/** Returns the text of docs/openapi.json. */
export const generateText = () => toText(apiDocument({ version }));
