export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the message of JSON.parse, which repeats a piece of the body and often has no line and column. */
export const locateJsonError = (text: string): string => {
  const error = findJsonError(text);
  // JSON.parse refused a text without a syntax error, so the nesting exceeds what JSON.parse can read.
  if (!error) return 'it is nested too deeply';
  if (error.at >= text.length) return `it ends where ${error.phrase} is expected`;
  return `${error.phrase} is expected at ${placeOf(text, error.at)}`;
};

export const placeOf = (text: string, at: number) => {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
};

// Does not use jsonc-parser: every bundle would contain it, and deep nesting overflows its stack.

type JsonError = { at: number; phrase: string };
type Expectation = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'nothing';

const phrases: Record<Expectation, string> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or }',
  colon: 'a colon',
  comma: 'a comma or the closing bracket',
  nothing: 'the end of the body',
};

const BLANK = /[ \t\n\r]*/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const endOf = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/** No recursion, because a body may be nested a million levels deep. */
const findJsonError = (text: string): JsonError | undefined => {
  const brackets: OpenBrackets = [];
  let expected: Expectation = 'value';
  let at = endOf(BLANK, text, 0);
  while (at < text.length) {
    const step: Step = steps[expected](text, at, brackets) ?? { error: { at, phrase: phrases[expected] } };
    if ('error' in step) return step.error;
    expected = step.expected;
    at = endOf(BLANK, text, step.at);
  }
  return expected === 'nothing' ? undefined : { at, phrase: phrases[expected] };
};

type Step = { at: number; expected: Expectation } | { error: JsonError };
type OpenBrackets = ('{' | '[')[];

const steps: Record<Expectation, (text: string, at: number, brackets: OpenBrackets) => Step | undefined> = {
  value: (text, at, brackets) => stepOverValue(text, at, brackets),
  'value or ]': (text, at, brackets) =>
    text[at] === ']' ? stepOverBracket(at, brackets) : stepOverValue(text, at, brackets),
  name: (text, at) =>
    /\d,\d/.test(text.slice(at - 2, at + 1))
      ? { error: { at, phrase: `${phrases.name} (a number has no comma, as in 12.5)` } }
      : stepOverName(text, at),
  'name or }': (text, at, brackets) =>
    text[at] === '}' ? stepOverBracket(at, brackets) : stepOverName(text, at),
  colon: (text, at) => (text[at] === ':' ? { at: at + 1, expected: 'value' } : undefined),
  comma: (text, at, brackets) => {
    const inObject = brackets.at(-1) === '{';
    if (text[at] === ',') return { at: at + 1, expected: inObject ? 'name' : 'value' };
    return text[at] === (inObject ? '}' : ']') ? stepOverBracket(at, brackets) : undefined;
  },
  nothing: () => undefined,
};

const stepOverName = (text: string, at: number) =>
  text[at] === '"' ? stepOverString(text, at, 'colon') : undefined;

const stepOverValue = (text: string, at: number, brackets: OpenBrackets): Step | undefined => {
  const character = text[at];
  if (character === '{' || character === '[') {
    brackets.push(character);
    return { at: at + 1, expected: character === '{' ? 'name or }' : 'value or ]' };
  }
  if (character === '"') return stepOverString(text, at, afterValue(brackets));
  const end = endOf(NUMBER_OR_WORD, text, at);
  return end === -1 ? undefined : { at: end, expected: afterValue(brackets) };
};

const stepOverString = (text: string, start: number, expected: Expectation): Step => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') {
      const end = endOf(ESCAPE, text, at);
      if (end === -1) return { error: { at, phrase: 'a valid escape (such as \\\\ or \\u0041)' } };
      at = end;
    } else if (text.charCodeAt(at) < 0x20) {
      return { error: { at, phrase: 'an escape such as \\n instead of a control character' } };
    } else at += 1;
  }
  return at < text.length
    ? { at: at + 1, expected }
    : { error: { at, phrase: 'the closing quote of a string' } };
};

const stepOverBracket = (at: number, brackets: OpenBrackets): Step => {
  brackets.pop();
  return { at: at + 1, expected: afterValue(brackets) };
};

const afterValue = (brackets: OpenBrackets): Expectation => (brackets.length > 0 ? 'comma' : 'nothing');
