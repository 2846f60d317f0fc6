import { describe, expect, test } from 'vitest';
import { toDecimal } from '../../../admin/import/decimal.ts';

describe('a number is read', () => {
  test.each([
    ['7.850', '7.85'],
    ['-0', '0'],
    ['0.000e500', '0'],
    ['1e3', '1000'],
    ['1.5E+2', '150'],
    ['100e-2', '1'],
    ['-0.050', '-0.05'],
    ['1e-130', `0.${'0'.repeat(129)}1`],
    ['9.9e125', `99${'0'.repeat(124)}`],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    [`${'1'.repeat(38)}000`, `${'1'.repeat(38)}000`],
  ])('%s as %s', (written, digits) => {
    expect(toDecimal(written)).toEqual({ digits });
  });
});

describe('a number is refused', () => {
  test.each([
    ['7,85', /write 7\.85$/],
    ['1,234.5', /separators between thousands/],
    ['1\u00a0234', /separators between thousands/],
    ['007,5', /begins with 0/],
    [`${'1'.repeat(1_000)},5`, /not a number/],
    [' 7', /spaces around/],
    ['007', /begins with 0/],
    ['.5', /not a number/],
    ['5.', /not a number/],
    ['0x10', /not a number/],
    ['NaN', /not a number/],
    ['1e126', /out of range/],
    ['9e-131', /out of range/],
    ['1e99999999999999999999', /out of range/],
    ['1'.repeat(39), /39 digits/],
    ['1'.repeat(1_000_000), /not a number/],
    [`0.${'0'.repeat(1_000_000)}1`, /not a number/],
  ])('%.20s', (written, words) => {
    expect(toDecimal(written)).toEqual({ fault: expect.stringMatching(words) });
  });
});

describe('with a decimal sign that a person has named', () => {
  test.each([
    [',', '309,40', '309.4'],
    [',', '1.234', '1234'],
    [',', '-1.234.567,8', '-1234567.8'],
    [',', '7', '7'],
    ['.', '1.234', '1.234'],
    ['.', '1,234.5', '1234.5'],
    ['.', '1,234', '1234'],
  ] as const)('%s, %s is read as %s', (decimal, written, digits) => {
    expect(toDecimal(written, { decimal, isChosen: true })).toEqual({ digits });
  });

  test.each([
    [',', '7.85', /write 7,85$/],
    ['.', '309,40', /write 309\.40$/],
    [',', '1.23,4', /not a number/],
    [',', '0.234', /write 0,234$/],
  ] as const)('%s, %s is refused', (decimal, written, words) => {
    expect(toDecimal(written, { decimal, isChosen: true })).toEqual({ fault: expect.stringMatching(words) });
  });
});

test('a comma before three digits is refused with both readings', () => {
  expect(toDecimal('1,234')).toEqual({
    fault: 'a number that may be 1234 or 1.234; add --decimal . for the first, or --decimal , for the second',
  });
});

describe('with a decimal comma', () => {
  test.each([
    ['7,850', '7.85'],
    ['-0,5', '-0.5'],
    ['1,5E+2', '150'],
    ['1,234', '1.234'],
    ['7.85', '7.85'],
    ['7', '7'],
  ])('%s is read as %s', (written, digits) => {
    expect(toDecimal(written, { decimal: ',' })).toEqual({ digits });
  });

  test.each([
    ['1.234,5', /separators between thousands/],
    ['1 234,5', /thousands; remove them, as in 1234,5$/],
    ['1,234,567', /separators between thousands/],
    ['007,5', /begins with 0/],
    [' 7,85', /spaces around/],
    [',5', /not a number; write digits only, such as 7,85$/],
    ['7,8,5', /not a number/],
  ])('%s is refused', (written, words) => {
    expect(toDecimal(written, { decimal: ',' })).toEqual({ fault: expect.stringMatching(words) });
  });
});
