import * as v from 'valibot';
import { expect, test } from 'vitest';
import { toComponents } from '../../../docs/openapi/conversion.ts';

const word = v.string();
const list = v.array(word);
const isGood = (value: string) => value === 'good';

test.each<[string, v.GenericSchema, string]>([
  ['of an unknown kind', v.pipe(word, v.trim()), 'trim'],
  ['on the length of a text', v.pipe(word, v.maxLength(1)), 'max_length'],
  ['that checks without a message', v.pipe(word, v.check(isGood)), 'no fixed message'],
  ['of a pattern in any letter case', v.pipe(word, v.regex(/a/i)), '/a/i'],
  ['of a second pattern', v.pipe(word, v.regex(/a/), v.regex(/b/)), '/b/'],
  [
    'of another list',
    v.pipe(
      list,
      v.rawCheck<string[]>(() => {}),
    ),
    'raw check',
  ],
  ['of a type that accepts more than {}', v.custom<object>((value) => value !== 7, 'Any.'), 'custom'],
  ['of a union without a message', v.union([word, list]), 'no fixed message'],
])('the conversion fails for a rule %s', (_, schema, words) => {
  expect(() => toComponents({ schema })).toThrow(words);
});
