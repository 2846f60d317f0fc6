import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

const HEADINGS = new Set(['describe']);
const TESTS = new Set(['test', 'it']);

type Node = { type: string; [property: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** What a call begins with: `test` of `test('…')`, of `test.each(…)('…')` and of `test.concurrent('…')`. */
const rootOf = (callee: unknown): string | undefined => {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') return String(callee['name']);
  return rootOf(callee['object'] ?? callee['callee'] ?? callee['tag']);
};

/** As it stands in the source, with what is filled in left in its braces. */
const textOf = (node: unknown, source: string): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  return source.slice(Number(node['start']) + 1, Number(node['end']) - 1);
};

type Titled = { kind: 'heading' | 'test'; title: string };

const titledCall = (node: Node, source: string): Titled | undefined => {
  if (node.type !== 'CallExpression' || !Array.isArray(node['arguments'])) return undefined;
  const title = textOf(node['arguments'][0], source);
  const root = rootOf(node['callee']) ?? '';
  if (title === undefined || !(HEADINGS.has(root) || TESTS.has(root))) return undefined;
  return { kind: TESTS.has(root) ? 'test' : 'heading', title };
};

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const titlesBelow = (node: Node, headings: readonly string[], source: string): string[] => {
  const call = titledCall(node, source);
  const path = call ? [...headings, call.title] : headings;
  if (call?.kind === 'test') return [path.join(' > ')];
  return childrenOf(node).flatMap((child) => titlesBelow(child, path, source));
};

/** The full titles of a file's tests, with the headings that they stand under; `%s` and the like as they are written. */
export const titlesIn = (path: string): string[] => {
  const source = readFileSync(path, 'utf8');
  const program: unknown = parseAst(source, { lang: 'ts' });
  return isNode(program) ? titlesBelow(program, [], source) : [];
};
