import { strFromU8, unzipSync, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { writeWorkbook } from '../../../admin/formats/write-workbook.ts';
import { parseWorkbook } from '../../../admin/lists/files/parse-workbook.ts';
import { bytesOf } from '../in-process.ts';
import { issuesOf, noticesOf, read } from '../lists/rows.ts';

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

  test('refuses formulas, dates, errors and numbers that lost digits, each with its cell', async () => {
    const rows = [
      [KEY, 'Name', 'Weight:number'],
      ['A', new Date('2026-01-02'), '309,40'],
      ['B', true, null],
      [1234567890123456800, 'x', -1e15],
      ['C_xD83D_', 'a_xD83D_', null],
      ['D', null, null, new Date('2026-01-02')],
    ];
    const cells = new Map([
      ['2,2', { formula: 'SUM(A1:A2)', formulaResult: 3 }],
      ['3,1', { type: 'error' as const, value: '#N/A' }],
    ]);
    const content = await writeXlsx({
      sheets: [
        { name: 'Codes', rows, cells },
        { name: 'Other', rows: [] },
      ],
    });
    expect(await issuesOf(Buffer.from(content))).toEqual([
      'The file is refused because of 10 errors. Nothing was written.',
      expect.stringMatching(/^row 2: column "Name": B2 has a date; .*format the column as text/),
      'row 2: column "Weight:number": "309,40" is a comma within a number; write 309.40',
      'row 3: column "Name": the cell is true or false; end the title with :json to keep that value',
      'row 3: column "Weight:number": C3 has a formula; copy the cells and paste their values',
      'row 4: column "Name": B4 has the error #N/A; correct it',
      expect.stringMatching(/^row 4: column "Weight:number": .*more digits than a spreadsheet keeps/),
      expect.stringMatching(/^row 4: column "MaterialCode": .*spreadsheet keeps; format the column as text/),
      'row 5: column "Name": the text contains half of a surrogate pair',
      'row 5: column "MaterialCode": the text contains half of a surrogate pair',
      'row 6: column 4: the cell is not empty, but the column has no title',
      'Only the first of 2 sheets is read: "Codes".',
      expect.stringMatching(/^1 MaterialCode is a number, such as 1234567890123456800\./),
    ]);
  });

  test('refuses a value merged over several rows, because only the first row has it', async () => {
    const rows = [
      [KEY, 'Name', 'Size:number', 'Note', 'Title over two columns'],
      ['A', 'both', 0, null, 'x'],
      ['B', null, null, null, 'y'],
    ];
    const ofRows = [1, 2, 3].map((column) => ({ startRow: 1, startCol: column, endRow: 2, endCol: column }));
    const merges = [...ofRows, { startRow: 0, startCol: 4, endRow: 0, endCol: 5 }];
    const content = await writeXlsx({ sheets: [{ name: 'Codes', rows, merges }] });
    expect(await issuesOf(Buffer.from(content))).toEqual([
      'The file is refused because of 2 errors. Nothing was written.',
      'row 2: column "Name": B2 is merged with cells below, which are empty; unmerge it, and fill each cell',
      expect.stringMatching(/^row 2: column "Size:number": C2 is merged/),
    ]);
  });

  /** An archive with these parts, whose directory may claim another size for the last one. */
  const zip = (parts: Record<string, string>, size?: number) => {
    const contents = Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]);
    const archive = Buffer.from(zipSync(Object.fromEntries(contents)));
    if (size) archive.writeUInt32LE(size, archive.lastIndexOf('PK\u0001\u0002') + 24);
    return archive;
  };
  const TYPES = { '[Content_Types].xml': 'x' };
  const cutOff = async () => (await write([{ text: 'A' }])).subarray(0, 200);

  const sheet = (cells: string) => ({ ...TYPES, 'xl/worksheets/sheet1.xml': cells });
  const strings = { ...TYPES, 'xl/sharedStrings.xml': '<si><t/></si>'.repeat(2_100_000) };

  test.each([
    ['an OpenDocument spreadsheet', zip({ mimetype: 'x', 'content.xml': 'x' }), /\(\.ods\)\. Save it as "Ex/],
    ['a binary workbook', zip({ 'xl/workbook.bin': 'x' }), /\(\.xlsb\)/],
    ['another archive', zip({ 'a.txt': 'x' }), /an archive, not a workbook/],
    ['a workbook that is cut off', cutOff(), /its end is missing/],
    ['a workbook with nothing in it', zip(TYPES), /cannot be read: No root element/],
    ['a part that hides its size', zip({ ...TYPES, 'xl/workbook.xml': '' }), /one of its parts is empty/],
    ['a workbook that unpacks to 300 MB', zip(TYPES, 300 * 1024 * 1024), /larger than any list/],
    ['a workbook with millions of texts', zip(strings), /larger than any list/],
    [
      'a cell in the last row',
      zip(sheet('<c r="B1048576"/>')),
      /down to row 1\u202f048\u202f576, .* Delete the rows/,
    ],
    [
      'a cell in the last row, in other quotes',
      zip(sheet("<c r = 'B1048576'/>")),
      /down to row 1\u202f048\u202f576/,
    ],
    ['a last row with a cell', zip(sheet('<row r="1048576"><c/></row>')), /down to row 1\u202f048\u202f576/],
    ['an empty last row', zip(sheet('<row r="1048576"/>')), /cannot be read: (?!.*row)/],
  ])('refuses %s', async (_what, content, words) => {
    expect((await issuesOf(await content)).join('\n')).toMatch(words);
  });
});
