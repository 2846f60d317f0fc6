import { expect, test } from 'vitest';
import { readNumber } from '../../../admin/lists/values/read-number.ts';

const COMMA = { decimal: ',' } as const;
const CHOSEN_COMMA = { decimal: ',', isChosen: true } as const;
const CHOSEN_POINT = { decimal: '.', isChosen: true } as const;

test.each([
  [undefined, '7.850', '7.85'],
  [undefined, '-0', '0'],
  [undefined, '0.000e500', '0'],
  [undefined, '1e3', '1000'],
  [undefined, '1.5E+2', '150'],
  [undefined, '100e-2', '1'],
  [undefined, '1e-130', `0.${'0'.repeat(129)}1`],
  [undefined, '9.9e125', `99${'0'.repeat(124)}`],
  [undefined, `${'1'.repeat(38)}000`, `${'1'.repeat(38)}000`],
  [COMMA, '7,850', '7.85'],
  [COMMA, '-0,5', '-0.5'],
  [COMMA, '1,5E+2', '150'],
  [COMMA, '1,234', '1.234'],
  [COMMA, '7.85', '7.85'],
  [CHOSEN_COMMA, '309,40', '309.4'],
  [CHOSEN_COMMA, '1.234', '1234'],
  [CHOSEN_COMMA, '-1.234.567,8', '-1234567.8'],
  [CHOSEN_POINT, '1.234', '1.234'],
  [CHOSEN_POINT, '1,234.5', '1234.5'],
  [CHOSEN_POINT, '1,234', '1234'],
])('%o: %s is read as %s', (style, written, digits) => {
  expect(readNumber(written, style)).toEqual({ digits });
});

test.each([
  [undefined, '7,85', /write 7\.85$/],
  [
    undefined,
    '1,234',
    /may be 1234 or 1\.234; add --decimal \. for the first, or --decimal , for the second$/,
  ],
  [undefined, '1,234.5', /grouped thousands/],
  [undefined, '1\u00a0234', /grouped thousands/],
  [undefined, ' 7', /spaces around/],
  [undefined, '007', /begins with 0/],
  [undefined, '.5', /not a number/],
  [undefined, '5.', /not a number/],
  [undefined, '0x10', /not a number/],
  [undefined, 'NaN', /not a number/],
  [undefined, '1e126', /out of range/],
  [undefined, '9e-131', /out of range/],
  [undefined, '1e99999999999999999999', /out of range/],
  [undefined, '1'.repeat(39), /39 digits/],
  [undefined, '1'.repeat(1_000_000), /not a number/],
  [undefined, `0.${'0'.repeat(1_000_000)}1`, /not a number/],
  [COMMA, '1.234,5', /grouped thousands/],
  [COMMA, '1 234,5', /thousands; write it without groups, as in 1234,5$/],
  [COMMA, '007,5', /begins with 0/],
  [COMMA, ',5', /not a number; write digits only, such as 7,85$/],
  [CHOSEN_COMMA, '7.85', /write 7,85$/],
  [CHOSEN_COMMA, '1.23,4', /not a number/],
  [CHOSEN_COMMA, '0.234', /write 0,234$/],
  [CHOSEN_POINT, '309,40', /write 309\.40$/],
])('%o: %.20s is refused', (style, written, words) => {
  expect(readNumber(written, style)).toEqual({ issue: expect.stringMatching(words) });
});
