import { expect, test } from 'vitest';
import { inWordsOfCommands } from '../../../admin/cli/terminal/terminal.ts';
import { readRows } from '../../../admin/lists/files/read-rows.ts';
import { messageOf } from '../../../admin/text/failure.ts';

// Commas between cells mean a decimal point, semicolons a decimal comma. A person may choose another decimal sign.
const POINT = { separator: ',' } as const;
const COMMA = { separator: ';' } as const;
const CHOSEN_COMMA = { separator: ',', decimal: ',' } as const;
const CHOSEN_POINT = { separator: ';', decimal: '.' } as const;
type Style = { separator: string; decimal?: ',' | '.' };

const numberIn = async (content: string, decimal?: ',' | '.') => {
  const rows = await readRows(Buffer.from(content), 'MaterialCodes', { decimal });
  return rows.rows.get('A')?.attributes['W'];
};
const inCsv = (written: string, { separator, decimal }: Style) =>
  numberIn(`MaterialCode${separator}W:number\nA${separator}"${written}"\n`, decimal);
const inJson = (written: string) => numberIn(`[{"MaterialCode":"A","W":${written}}]`);

test.each<[Style, string, string]>([
  [POINT, '7.850', '7.85'],
  [POINT, '-0', '0'],
  [POINT, '0.000e500', '0'],
  [POINT, '1e3', '1000'],
  [POINT, '1.5E+2', '150'],
  [POINT, '100e-2', '1'],
  [POINT, '1e-130', `0.${'0'.repeat(129)}1`],
  [POINT, '9.9e125', `99${'0'.repeat(124)}`],
  [POINT, `${'1'.repeat(38)}000`, `${'1'.repeat(38)}000`],
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
])('%o: %s is read as %s, also in JSON', async (style, written, digits) => {
  expect(await inCsv(written, style)).toEqual({ N: digits });
  if (style === POINT) expect(await inJson(written)).toEqual({ N: digits });
});

test.each<[Style, string, RegExp]>([
  [POINT, '7,85', /write 7\.85$/],
  [POINT, '1,234', /may be 1234 or 1\.234; add --decimal \. for the first, or --decimal , for the second$/],
  [POINT, '1,234.5', /grouped thousands/],
  [POINT, '1\u00a0234', /grouped thousands/],
  [POINT, ' 7', /spaces around/],
  [POINT, '007', /begins with 0/],
  [POINT, '.5', /not a number/],
  [POINT, '5.', /not a number/],
  [POINT, '0x10', /not a number/],
  [POINT, 'NaN', /not a number/],
  [POINT, '1e126', /out of range/],
  [POINT, '9e-131', /out of range/],
  [POINT, '1e99999999999999999999', /out of range/],
  [POINT, '1'.repeat(39), /39 digits/],
  [POINT, '1'.repeat(900_000), /not a number/],
  [POINT, `0.${'0'.repeat(900_000)}1`, /not a number/],
  [COMMA, '1.234,5', /grouped thousands/],
  [COMMA, '1 234,5', /thousands; write it without groups, as in 1234,5$/],
  [COMMA, '007,5', /begins with 0/],
  [COMMA, ',5', /not a number; write digits only, such as 7,85$/],
  [CHOSEN_COMMA, '7.85', /write 7,85$/],
  [CHOSEN_COMMA, '1.23,4', /not a number/],
  [CHOSEN_COMMA, '0.234', /write 0,234$/],
  [CHOSEN_POINT, '309,40', /write 309\.40$/],
])('%o: %.20s is refused', async (style, written, words) => {
  const refusal = inCsv(written, style).catch((error: unknown) => inWordsOfCommands(messageOf(error)));
  expect(await refusal).toMatch(words);
});
