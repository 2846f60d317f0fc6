const WIDTH = 110;

const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|[-+.\deE]+|true|false|null)`;
const LIST = new RegExp(String.raw`^( *)(.*)\[\n\s*(${SCALAR}(?:,\n\s*${SCALAR})*)\n\s*\](,?)$`, 'gm');

/** JSON as the formatter of this repository leaves it: a list of plain values on one line where it fits. */
export const toText = (document: object) =>
  `${JSON.stringify(document, null, 2).replace(LIST, (long, indent, name, values, comma) => {
    const short = `${indent}${name}[${values.replace(/,\n\s*/g, ', ')}]${comma}`;
    return short.length <= WIDTH ? short : long;
  })}\n`;
