import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { refTo, toComponents } from '../../../docs/openapi/conversion.ts';

describe('the conversion fails for a rule', () => {
  const word = v.string();
  const list = v.array(word);
  const rawCheck = v.rawCheck<string[]>(() => {});
  const isGood = (value: string) => value === 'good';
  const computed = () => 'Words.';

  it.each<[string, v.GenericSchema, string]>([
    ['of an unknown kind', v.pipe(word, v.trim()), 'trim'],
    ['that the converter would express inexactly', v.pipe(word, v.email()), 'email'],
    ['on the length of a text', v.pipe(word, v.maxLength(1)), 'max_length'],
    ['on the items of a list', v.pipe(list, v.checkItems(isGood, 'Good.')), 'check_items'],
    ['that checks without a message', v.pipe(word, v.check(isGood)), 'no fixed message'],
    ['whose message is computed', v.pipe(word, v.check(isGood, computed)), 'no fixed message'],
    ['of a pattern in any letter case', v.pipe(word, v.regex(/a/i)), '/a/i'],
    ['of a second pattern', v.pipe(word, v.regex(/a/), v.regex(/b/)), '/b/'],
    ['after a transformation', v.pipe(word, v.transform(String), v.regex(/a/)), 'regex'],
    ['of a list, without a text for it', v.pipe(list, rawCheck), 'raw check'],
    ['of an unknown type', v.custom<string>((value) => value === 'x', 'X.'), 'custom'],
    ['of a type that accepts more than {}', v.custom<object>((value) => value !== 7, 'Any.'), 'custom'],
    ['of a union without a message', v.union([word, list]), 'no fixed message'],
    ['of a set', v.set(word), 'set'],
  ])('%s', (_, schema, words) => {
    expect(() => toComponents({ schema })).toThrow(words);
  });

  it('that does not exist but has a text', () => {
    expect(() => toComponents({ list }, { [refTo('Entry')]: 'No two alike.' })).toThrow(refTo('Entry'));
  });
});
