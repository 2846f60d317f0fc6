import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateJsonError } from '../../../shared/http/json.ts';

const NOT_FOUND = 'it is nested too deeply';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON, and JSON with a piece removed, inserted or doubled. */
const almostJson = fc
  .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', ...',"}]\\-.e\nx0'))
  .map(([json, at, length, piece]) => {
    const from = json.length === 0 ? 0 : at % json.length;
    return json.slice(0, from) + piece + json.slice(from + length);
  });

describe('locateJsonError', () => {
  it('finds an error in a text if and only if JSON.parse refuses it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), almostJson, fc.string()), (text) => {
        expect(locateJsonError(text) === NOT_FOUND).toBe(isJson(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports a place before which the text is incomplete but not wrong', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const [, line, column] = /line (\d+), column (\d+)$/.exec(locateJsonError(text)) ?? [];
        const lines = text.split('\n').slice(0, Number(line));
        const lastLine = lines.pop()?.slice(0, Number(column) - 1);
        if (line) expect(locateJsonError([...lines, lastLine].join('\n'))).not.toMatch(/line/);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['', 'it ends where a value is expected'],
    ['{"a":1,}', 'a name in double quotes is expected at line 1, column 8'],
    [
      '{"a":2,5}',
      'a name in double quotes (a number has no comma, as in 12.5) is expected at line 1, column 8',
    ],
    ['{"a":"2",5}', 'a name in double quotes is expected at line 1, column 10'],
    ['[1,]', 'a value is expected at line 1, column 4'],
    ['[01]', 'a comma or the closing bracket is expected at line 1, column 3'],
    ['{"a" 1}', 'a colon is expected at line 1, column 6'],
    ['{"a":1}\n{"b":2}', 'the end of the body is expected at line 2, column 1'],
    ['["a', 'it ends where the closing quote of a string is expected'],
    ['["\\x"]', 'a valid escape (such as \\\\ or \\u0041) is expected at line 1, column 3'],
    ['{\r\n "a": NaN}', 'a value is expected at line 2, column 7'],
    ['[x', 'a value or ] is expected at line 1, column 2'],
    ['{x', 'a name in double quotes or } is expected at line 1, column 2'],
    ['["\\u12"]', 'a valid escape (such as \\\\ or \\u0041) is expected at line 1, column 3'],
    ['["\\u00zz"]', 'a valid escape (such as \\\\ or \\u0041) is expected at line 1, column 3'],
    ['["\\u00aF" x]', 'a comma or the closing bracket is expected at line 1, column 11'],
    ['["a\tb"]', 'an escape such as \\n instead of a control character is expected at line 1, column 4'],
    ['["a\u001fb"]', 'an escape such as \\n instead of a control character is expected at line 1, column 4'],
    ['{"a":1]', 'a comma or the closing bracket is expected at line 1, column 7'],
  ])('reports for %j: %s', (text, words) => {
    expect(locateJsonError(text)).toBe(words);
  });
});
