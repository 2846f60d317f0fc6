import { strFromU8, unzipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { writeWorkbook } from '../../../admin/formats/write-workbook.ts';
import { parseWorkbook } from '../../../admin/lists/files/parse-workbook.ts';
import { bytesOf } from '../in-process.ts';
import { noticesOf, read } from '../lists/rows.ts';

type Row = { text: unknown; value?: unknown };
const columns = [
  { name: 'Text', value: ({ text }: Row) => text },
  { name: 'Value', value: ({ value }: Row) => value },
];
const write = (rows: Row[]) => bytesOf((sink) => writeWorkbook(sink, columns, rows));

describe('a workbook', () => {
  test('keeps texts that look like something else, numbers, and times', async () => {
    const written = await write([
      { text: '00123', value: 81.597 },
      { text: '1E5', value: JSON.rawJSON('7.85') },
      { text: '=1+1', value: JSON.rawJSON('12345678901234567') },
      { text: ['OT1', 'OT2'], value: 1e-130 },
      { text: '1e20', value: JSON.rawJSON(`1${'0'.repeat(20)}`) },
      { text: undefined, value: -0.5 },
      { text: "kg;'=1", value: 'kg;=1' },
      // The form of a control character.
      { text: '_x00AF_', value: '_x000a_x000A_' },
    ]);
    expect((await parseWorkbook(written)).rows).toEqual([
      ['Text', 'Value'],
      ['00123', 81.597],
      ['1E5', 7.85],
      ['=1+1', '12345678901234567'],
      ['OT1 OT2', 1e-130],
      ['1e20', `1${'0'.repeat(20)}`],
      ['', -0.5],
      // An import removes one apostrophe.
      ["kg;''=1", 'kg;=1'],
      ['_x00AF_', '_x000a_x000A_'],
    ]);
    const dated = await parseWorkbook(await write([{ text: new Date('2026-03-01T08:15:30.250Z') }]));
    const issue = expect.stringMatching(/^A2 has a date; .*format the column as text/);
    expect(dated.rows[1]?.[0]).toEqual({ issue });
  });

  test('keeps control characters, and has none where XML forbids it', async () => {
    const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 0xfffe, 0xffff);
    const written = await write([{ text: `a${controls}b` }]);
    expect((await parseWorkbook(written)).rows[1]).toEqual([`a${controls}b`, '']);
    for (const part of Object.values(unzipSync(written)))
      expect(strFromU8(part)).toMatch(/^[\t\n\r\x20-\uFFFD]*$/);
  });

  test('is refused for a text that fits in no cell', async () => {
    await expect(write([{ text: 'x'.repeat(32_768) }])).rejects.toThrow(
      /32\u202f768 characters.*Download it as CSV, or .*\.csv or \.json/,
    );
  });
});

describe('an import of a workbook', () => {
  const KEY = 'MaterialCode';

  test('reads cells by the titles, from the first sheet that is not hidden', async () => {
    const rows = [
      [],
      [KEY, 'Size', 'Weight:number', 'Any:json', null],
      ['00123', 12, 7.85, true],
      [7, 'M', '12345678901234567890', '[1,"a"]'],
      ['C', null, '1e3', 7],
    ];
    const hidden = { name: 'Secret', rows: [['x']], hidden: true };
    const veryHidden = { name: 'Macros', rows: [['x']], veryHidden: true };
    const sheets = [hidden, veryHidden, { name: 'Codes', rows }, { name: 'Other', rows: [] }];
    const content = Buffer.from(await writeXlsx({ sheets }));
    const [first, second, third] = await read(content);
    expect(first).toEqual({
      ...{ identifier: '00123', at: 3, unit: 'row', cleared: [] },
      attributes: { Size: { S: '12' }, Weight: { N: '7.85' }, Any: { BOOL: true } },
    });
    const list = { L: [{ N: '1' }, { S: 'a' }] };
    const attributes = { Size: { S: 'M' }, Weight: { N: '12345678901234567890' }, Any: list };
    expect(second).toMatchObject({ identifier: '7', attributes });
    expect(third?.attributes).toEqual({ Weight: { N: '1000' }, Any: { N: '7' } });
    expect(third?.cleared).toEqual(['Size']);
    expect(await noticesOf(content)).toEqual([
      'Only the first of 4 sheets is read: "Codes".',
      expect.stringMatching(/^1 MaterialCode is a number, such as 7\. If zeros in front are missing, /),
    ]);
  });

  test('reads the 15 digits of a computed number that a spreadsheet shows', async () => {
    const computed = 0.1 + 0.2;
    const rows = [
      [KEY, 'Size', 'Weight:number', 'Any:json'],
      ['A', computed, 100 * 4.35, -computed],
      ['B', 999_999_999_999.125, 12.3456789012345, 1e-20],
    ];
    const content = Buffer.from(await writeXlsx({ sheets: [{ name: 'Codes', rows }] }));
    expect((await read(content)).map(({ attributes }) => attributes)).toEqual([
      { Size: { S: '0.3' }, Weight: { N: '435' }, Any: { N: '-0.3' } },
      {
        ...{ Size: { S: '999999999999.125' }, Weight: { N: '12.3456789012345' } },
        Any: { N: '0.00000000000000000001' },
      },
    ]);
  });
});
