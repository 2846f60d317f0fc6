import fc from 'fast-check';
import { asEscapes } from '../../support/traces.ts';

/** A JSON document before it becomes text. Fields may repeat, and a number is its digits. */
export type Node =
  | { raw: string }
  | { string: string }
  | { items: readonly Node[] }
  | { fields: readonly (readonly [name: string, value: Node])[] };

/** How a client's library writes JSON: what it escapes, and where it adds spaces. */
type Writing = { escapes: 'little' | 'beyond ASCII' | 'everything'; escapesSlash: boolean; blank: string };

const writing: fc.Arbitrary<Writing> = fc.record({
  escapes: fc.constantFrom('little', 'beyond ASCII', 'everything'),
  escapesSlash: fc.boolean(),
  blank: fc.constantFrom('', '', ' ', '\n', '\r\n\t  '),
});

export const jsonTextOf = (document: fc.Arbitrary<Node>): fc.Arbitrary<string> =>
  fc.tuple(document, writing).map(([node, how]) => write(node, how));

const write = (node: Node, how: Writing): string => {
  if ('raw' in node) return node.raw;
  if ('string' in node) return quote(node.string, how);
  const { blank } = how;
  if ('items' in node)
    return `[${blank}${node.items.map((item) => write(item, how)).join(`,${blank}`)}${blank}]`;
  const fields = node.fields.map(([name, value]) => `${quote(name, how)}:${blank}${write(value, how)}`);
  return `{${blank}${fields.join(`${blank},`)}${blank}}`;
};

const MUST_BE_ESCAPED = /["\\\p{Cc}\p{Cs}]/u;
const MAY_BE_ESCAPED = { little: /(?!)/, 'beyond ASCII': /[^\p{ASCII}]/u, everything: /./su };

const quote = (text: string, { escapes, escapesSlash }: Writing) => {
  const signs = [...text].map((sign) => {
    if (sign === '/' && escapesSlash) return '\\/';
    return MUST_BE_ESCAPED.test(sign) || MAY_BE_ESCAPED[escapes].test(sign) ? asEscapes(sign) : sign;
  });
  return `"${signs.join('')}"`;
};
