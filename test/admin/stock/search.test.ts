import { expect, test } from 'vitest';
import { numbersOf, splitSearch } from '../../../admin/stock/search.ts';

test.each([
  ['0,085', [0.085]],
  ['1.234', [1.234, 1_234]],
  ['1.0855', [1.0855]],
  ['1.234,5', [1_234.5]],
  ['-1,234,567', [-1_234_567]],
  ['00123', []],
  ['A1', []],
  ['1-2', []],
  ['9'.repeat(400), []],
])('the word %s may mean the numbers %j', (word, numbers) => {
  expect(numbersOf(word)).toEqual(numbers);
});

test.each([
  ['a b', [['a', 'b']]],
  ['A-1, B', [['A-1'], ['B']]],
  ['A,1', [['A,1']]],
  ['A\r\nB\tC\n', [['A'], ['B'], ['C']]],
  ['x; ,', [['x']]],
  ['1\u202f000 12 345', [['1000', '12', '345']]],
])('the search %j asks for %j', (search, alternatives) => {
  expect(splitSearch(search)).toEqual(alternatives);
});
